select `a "b`` \` from orders;
