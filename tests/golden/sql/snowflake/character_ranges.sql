select '‐-‧' as several;

select 'Ł' as one;
