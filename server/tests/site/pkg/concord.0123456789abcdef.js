export function hydrate() {}
