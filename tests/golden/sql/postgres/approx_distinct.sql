select None as estimate from orders;
