/** Returns the items of a list by a key, in the order of the list. */
export function grouped<K, T, V = T>(list: readonly T[], keyOf: (item: T) => K, valueOf: (item: T) => V = (item) => item as unknown as V): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item)) ?? [];
    group.push(valueOf(item));
    groups.set(keyOf(item), group);
  }
  return groups;
}
