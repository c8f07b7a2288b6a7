select '\\p{Lu}\\p{Lt}' as brackets;
