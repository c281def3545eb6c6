export type Params = Readonly<Record<string, string | number>>

/** Replaces the placeholders of a text, such as `{{name}}`. */
export const fillText = (text: string, params: Params = {}): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ""))
