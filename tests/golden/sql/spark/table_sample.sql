select id from orders tablesample (1.5 percent);
