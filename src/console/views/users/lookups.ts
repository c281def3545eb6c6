/**
 * Finds the categories that a list shows as comma-separated names.
 * @returns undefined if a name is not among the loaded categories, or is ambiguous
 */
export function findCategoryIds(text: string, categories: readonly { id: number; name: string }[]) {
  const delimited = `, ${text}, `
  const found = categories.filter(({ name }) => delimited.includes(`, ${name}, `))
  const names = found.map(({ name }) => name).sort((a, b) => a.localeCompare(b))
  return names.join(", ") === text ? found.map(({ id }) => id) : undefined
}
