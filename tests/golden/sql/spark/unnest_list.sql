select element from paths lateral view explode(steps) elements as element;
