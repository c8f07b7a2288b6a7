select '\\x{2010}-\\x{2027}' as several;

select '\\x{0141}' as one;
