select '\u2010-\u2027' as several;

select '\u0141' as one;
