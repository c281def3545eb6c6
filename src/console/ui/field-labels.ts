// The API calls fields by the names of its JSON. People read what a form calls them.

/** A name as the API writes it, with the path to it; not within quotes, where somebody's own words are. */
const NAME = /(?<![\w."'“‘/])[A-Za-z]\w*(?:\.\w+)*(?![\w"'”’])/g
/** No English word is spelled like this. */
const isTechnical = (name: string) => /[_.]|[a-z][A-Z]/.test(name)
/** `time_zone` and `timeZone` as "Time zone". */
function spelledOut(name: string): string {
  const words = name
    .replace(/\.\d+(?=\.|$)/g, "")
    .replace(/[_.]/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * A message of the API with its fields called as they are on the screen.
 * @param labels the labels of a form's fields, by their API names
 * @param refused the fields that the API refused
 */
export function labeled(message: string, labels: ReadonlyMap<string, string>, refused: readonly string[] = []): string {
  return message.replace(NAME, (name, at: number) => {
    const isSubject = at === 0 && refused.includes(name)
    if (!isSubject && !isTechnical(name)) return name
    const label = labels.get(name) ?? labels.get(name.replace(/\.\d+$/, ""))
    if (label !== undefined) return label
    return isSubject && isTechnical(name) ? spelledOut(name) : name
  })
}
