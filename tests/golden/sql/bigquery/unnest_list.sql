select element from paths cross join unnest(steps) as element;
