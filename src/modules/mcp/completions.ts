import { readJson } from "../../lib/text/json.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { GUIDES } from "../../pages/guides.ts"
import { type Arguments, type Connection, offersTools, readOperation } from "./operations.ts"
import { promptNamed } from "./prompts.ts"
import { completeParams, RpcError } from "./protocol.ts"
import { variableKind } from "./records.ts"
import { guideTemplateUri } from "./resources.ts"
import { toolNamed } from "./tool-list.ts"

// Completion of arguments, from the lists that the connection can read.

/** The maximum number of values in a completion, by the protocol. */
const MAX_COMPLETIONS = 100

interface Source {
  tool: string
  /** The key of `search_param` that finds the typed text. */
  search: string
  /** The field of the rows that is the value. */
  field: string
}

const USERS = { tool: "listUsers", search: "nameOrEmail" }
const COURSES = { tool: "listCourses", search: "courseName" }

/** IDs are found by the name. */
const SOURCES: Record<"courseName" | "courseId" | "email" | "userId", Source> = {
  courseName: { ...COURSES, field: "name" },
  courseId: { ...COURSES, field: "id" },
  email: { ...USERS, field: "email" },
  userId: { ...USERS, field: "id" },
}

const completion = (values: string[], total = values.length) => ({
  completion: { values: values.slice(0, MAX_COMPLETIONS), total, hasMore: total > MAX_COMPLETIONS },
})

/** The values that match the typed text; none if the connection cannot read the list. @throws RpcError */
async function fromList(connection: Connection, { tool: name, search, field }: Source, typed: string) {
  const tool = await toolNamed(connection.c.env, name)
  if (!tool || !(await offersTools(connection, [name]))) return completion([])
  const given: Arguments = {
    page_size: MAX_COMPLETIONS,
    page_number: 1,
    fields: field,
    ...(typed.trim() !== "" && { search_param: { [search]: typed } }),
  }
  const found = readJson(await readOperation(connection, tool, given)) as {
    records: Record<string, unknown>[]
    recordsFiltered: number
  }
  return completion(
    found.records.map((row) => String(row[field])),
    found.recordsFiltered,
  )
}

/** What `completion/complete` returns. @throws RpcError for an unknown prompt, template or argument */
export async function complete(connection: Connection, params: unknown) {
  const { data } = completeParams.safeParse(params)
  if (!data) throw new RpcError("invalidParams", "completion/complete requires a ref and an argument.")
  const { ref, argument } = data
  const unknownArgument = () => new RpcError("invalidParams", `There is no argument ${argument.name} to complete.`)
  if (ref.type === "ref/prompt") {
    const { arguments: known } = await promptNamed(connection, ref.name)
    if (!Object.hasOwn(known, argument.name)) throw unknownArgument()
    const kind = known[argument.name]?.kind
    return kind ? fromList(connection, SOURCES[kind], argument.value) : completion([])
  }
  if (ref.uri === guideTemplateUri(baseUrl(connection.c)) && argument.name === "name")
    return completion(GUIDES.map(({ name }) => name).filter((name) => name.startsWith(argument.value.toLowerCase())))
  const kind = await variableKind(connection, ref.uri, argument.name)
  if (!kind) throw unknownArgument()
  return fromList(connection, SOURCES[kind], argument.value)
}
