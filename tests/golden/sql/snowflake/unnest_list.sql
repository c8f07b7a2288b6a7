select element from paths cross join lateral (select value as element from table(flatten(input => steps))) as elements;
