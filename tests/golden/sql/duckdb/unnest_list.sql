select element from paths cross join unnest(steps) as elements (element);
