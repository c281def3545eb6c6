// API messages name fields as in JSON; the console replaces these names with the form's labels.

/** A field path of the API; not within quotes, which contain user input. */
const NAME = /(?<![\w."'“‘/])[A-Za-z]\w*(?:\.\w+)*(?![\w"'”’])/g
/** Whether a word has underscores, dots or camel case. */
const isTechnical = (name: string) => /[_.]|[a-z][A-Z]/.test(name)
/** `time_zone` and `timeZone` as "Time zone". */
export function humanize(name: string): string {
  const words = name
    .replace(/\.\d+(?=\.|$)/g, "")
    .replace(/[_.]/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Replaces field names in an API message with form labels.
 * @param labels form labels by API field
 * @param invalidFields the fields that have errors
 */
export function withFieldLabels(
  message: string,
  labels: ReadonlyMap<string, string>,
  invalidFields: readonly string[] = [],
): string {
  return message.replace(NAME, (name, position: number) => {
    const isSubject = position === 0 && invalidFields.includes(name)
    if (!isSubject && !isTechnical(name)) return name
    const label = labels.get(name) ?? labels.get(name.replace(/\.\d+$/, ""))
    if (label !== undefined) return label
    return isSubject && isTechnical(name) ? humanize(name) : name
  })
}
