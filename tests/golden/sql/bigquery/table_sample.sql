select id from orders tablesample system (1.5 percent);
