import { env } from "cloudflare:workers"
import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi"
import { z } from "zod"
import { addressClient } from "../../src/access/clients.ts"
import { allRouters } from "../../src/app.ts"
import { searchText, sortKey, substring } from "../../src/db/search.ts"
import { slugify } from "../../src/db/slug.ts"
import { fieldErrors } from "../../src/http/validation.ts"
import { password, weakness } from "../../src/lib/crypto/password.ts"
import { fileNameOf, fileTypeOf } from "../../src/lib/files/file-kinds.ts"
import * as input from "../../src/lib/input/input.ts"
import { listQuery } from "../../src/lib/input/list-query.ts"
import { amount, currency } from "../../src/lib/input/money.ts"
import { avatarToStore } from "../../src/lib/input/person.ts"
import { isTooDeep, readJson } from "../../src/lib/text/json.ts"
import { html, plainText, sanitize, sanitizeVector, searchableText } from "../../src/lib/text/sanitize.ts"
import { normalizeLine, normalizeText } from "../../src/lib/text/text.ts"
import { contentDisposition } from "../../src/lib/web/files.ts"
import { foldBrackets } from "../../src/lib/web/query-string.ts"
import { gradeAnswers } from "../../src/modules/assessments/quiz-grading.ts"
import { readSheet, readUserList } from "../../src/modules/bulk/bulk-upload-rows.ts"
import { flattenCmi, parseSeconds } from "../../src/modules/scorm/scorm-run-time.ts"
import { type FieldDefinition, readValue } from "../../src/modules/users/custom-field-values.ts"

// Every kind of text that the service accepts, how it is processed, and the texts that are slowest to process. Add
// every new kind of input to KINDS.

/** The length of a long text: quadratic work is noticeable. */
export const LONG = 40_000

/** Processes a text of this kind. It may throw an error for the client. */
export type Kind = (text: string) => unknown

export const taken = (field: z.ZodType) => (text: string) => {
  const { error } = field.safeParse(text)
  if (error) fieldErrors(error)
}
/** Processes a text that its field accepted. */
const after = (field: z.ZodType<string>, kind: Kind) => (text: string) => {
  const { data } = field.safeParse(text)
  return data === undefined ? undefined : kind(data)
}
const query = listQuery(["name", "id"], {
  nameOrEmail: input.optional(input.text(254)),
  status: input.optional(input.list(input.choice(["one", "two"]))),
  ids: input.optional(input.ids()),
})
const asked = (name: string) => (text: string) =>
  query.safeParse({ page_size: "10", page_number: "1", [name]: text }).success

const field = (type: FieldDefinition["type"]): FieldDefinition => ({
  id: 1,
  type,
  label: "Region",
  userMetaKey: "region",
  isRequired: false,
  options: Array.from({ length: 50 }, (_, i) => `Option ${i}`),
})
const person = { firstName: "Ada", lastName: "Byron", avatar: null }
const NO_CONTENT = { blanks: [], numeric: null, explanation: "", imageUrl: "", imageAlt: "" }
const question = { id: 1, type: "short" as const, points: 1, text: "?", options: [], answers: ["a"], ...NO_CONTENT }

export const KINDS: Record<string, Kind> = {
  normalizeText: normalizeText,
  normalizeLine: normalizeLine,
  text: taken(input.text(500_000)),
  "text of a short field": taken(input.requiredText(10)),
  name: taken(input.name()),
  line: taken(input.line(500_000)),
  email: taken(input.email()),
  id: taken(input.id()),
  "optional id": taken(input.optional(input.id())),
  integer: taken(input.integer(0, 10)),
  bool: taken(input.boolean()),
  choice: taken(input.choice(["one", "two"])),
  ids: taken(input.ids()),
  "list of texts": taken(input.list(input.text(100))),
  time: taken(input.time()),
  "optional time": taken(input.optional(input.time())),
  "time of a place": taken(input.givenTime()),
  "time zone": taken(input.timeZone()),
  month: taken(input.month()),
  "JSON object": taken(input.jsonObject(z.object({ a: input.optional(input.text(10)) }))),
  order_by: asked("order_by"),
  search_param: asked("search_param"),
  cursor: asked("cursor"),
  page_size: asked("page_size"),
  "search term": substring,
  "searched text": searchText,
  "sorted name": after(input.line(255), sortKey),
  slug: after(input.line(255), slugify),
  amount: taken(amount()),
  currency: taken(currency()),
  password: taken(password()),
  "a password's weakness": after(password(), (text) => weakness(text, { ...person, email: "a@b.example" }, env.ASSETS)),
  html: taken(html(500_000)),
  sanitize,
  plainText,
  searchableText: searchableText,
  avatar: (text) => avatarToStore(text.slice(0, 10_000), person, person),
  "vector markup": (text) => sanitizeVector(`<svg>${text.slice(0, 10_000)}</svg>`),
  "query string": (text) => foldBrackets(`https://a.example/?x[a]=1&${text}`),
  "levels of JSON": isTooDeep,
  JSON: readJson,
  "text field's value": (text) => readValue(field("text"), text),
  "text area's value": (text) => readValue(field("textarea"), text),
  "date field's value": (text) => readValue(field("date"), text),
  "dropdown's value": (text) => readValue(field("dropdown"), text),
  "checkbox's value": (text) => readValue(field("checkbox"), text),
  "file's name": (text) => fileNameOf(new File([], text)),
  "file's type": fileTypeOf,
  "content disposition": (text) => contentDisposition(text.toWellFormed()),
  "answer of a quiz": after(input.text(5000), (text) =>
    gradeAnswers([question], [{ questionId: 1, optionIds: undefined, text }]),
  ),
  "SCORM element": (text) => flattenCmi({ [text]: "1", "cmi.suspend_data": text }),
  "SCORM duration": parseSeconds,
  "network address": addressClient,
  "header of a sheet": (text) => readSheet([{ row: 1, cells: ["email", "first_name", text] }], [field("text")]),
  "column of a user list": (text) => readUserList([{ email: text, [text]: text }], [field("text")]),
}

/** The parts that texts repeat. */
export const UNITS = [
  "a",
  " ",
  "\n",
  " \t\r\n",
  "  \n",
  "\u0000",
  "0",
  "9",
  "1.",
  "0.0",
  "-",
  "a-",
  "_",
  ".",
  "a.",
  "..",
  "@",
  "a@",
  "a@a.",
  "+",
  "/",
  "a/",
  "//",
  ":",
  "=",
  "==",
  ",",
  "1,",
  "a,",
  '"a",',
  "[",
  "[]",
  "[1],",
  "{",
  '{"a":',
  "}",
  '"',
  '\\"',
  "\\",
  "&",
  "&#",
  "&amp;",
  "&lt;",
  "x[a][]=1&",
  "x[]=1&",
  "x[%5b]=1&",
  "%5b=",
  "<",
  "<a",
  "<a ",
  "<a  /",
  '<a x="',
  "<a x='\"",
  '<a x="<a y=" z=" w="',
  "<a =",
  "<b>",
  "</b",
  "<p> </p>\n",
  '<a href="',
  "<!--",
  "a=1 ",
  "a='' ",
  'x y="',
  "url (",
  "é",
  "a\u0301",
  "\u0301",
  "\u0301\u0316",
  `a${"\u0301\u0316".repeat(5)}`,
  "\u1112\u1161\u11ab",
  "\ufdfa",
  "\ud800",
  "😀",
  "2026-01-01 ",
  "P1Y",
  "9:",
  "November ",
  "<?xml",
]
export const AROUND: [string, string][] = [
  ["", ""],
  ["", "!"],
  ["1", "x"],
  ["<a ", "<"],
  ["[", "]"],
  ["a", ">"],
]

/** The slowest parts for regular expressions and normalization, for inputs with many fields. */
export const HARDEST = [" ", "0", "a", "/", "a.", "a@", "-", "1,", "[", "<a ", "\n", "\u0301\u0316"]

/** The fields of a schema with their paths. */
function gather(schema: z.ZodType, at: string, fields: Map<z.ZodType, string>) {
  const within = (part: z.core.$ZodType, where: string, isField = true) => {
    if (!(part instanceof z.ZodType) || fields.has(part)) return
    if (isField) fields.set(part, where)
    gather(part, where, fields)
  }
  if (schema instanceof z.ZodObject)
    for (const [name, part] of Object.entries(schema.shape)) within(part as z.core.$ZodType, `${at} ${name}`)
  else if (schema instanceof z.ZodArray) within(schema.element, `${at} []`)
  else if (schema instanceof z.ZodPipe) for (const part of [schema.in, schema.out]) within(part, at, false)
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    within(schema.def.innerType, at, false)
}

export const textOf = (unit: string, [before, after]: [string, string], length: number) =>
  before + unit.repeat(Math.ceil(length / unit.length)) + after

/** Every field of every operation, with its first path. */
export async function everyField(): Promise<Map<z.ZodType, string>> {
  const fields = new Map<z.ZodType, string>()
  for (const family of (await allRouters()).values())
    for (const definition of (family as OpenAPIHono).openAPIRegistry?.definitions ?? []) {
      if (definition.type !== "route") continue
      const { method, path, request } = definition.route as RouteConfig
      const bodies = Object.values(request?.body?.content ?? {}).map(
        (content) => (content as { schema: unknown }).schema,
      )
      for (const schema of [request?.query, ...bodies])
        if (schema instanceof z.ZodType) gather(schema, `${method} ${path}`, fields)
    }
  return fields
}
