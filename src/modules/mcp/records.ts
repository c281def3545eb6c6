import { baseUrl } from "../../lib/web/answers.ts"
import { type Arguments, type Connection, offersTools, readOperation } from "./operations.ts"
import { toolNamed } from "./tool-list.ts"

// Records as resources. Their URIs are the addresses of the operations that read them, with the same permissions.

/** What completes a variable of a template. */
export type VariableKind = "userId" | "courseId" | "email"

interface RecordTemplate {
  title: string
  description: string
  /** The operation, and its fixed arguments. */
  tool: string
  fixed?: Arguments
  /** The path of the URI, with `{variables}` that are arguments of the operation. */
  path: string
  variables: Record<string, VariableKind>
}

const ENROLLMENTS = { page_size: 100, page_number: 1 }

const RECORDS: Record<string, RecordTemplate> = {
  user: {
    title: "User",
    description: "A user by ID",
    tool: "getUser",
    path: "/api/user/{id}",
    variables: { id: "userId" },
  },
  "user-by-email": {
    title: "User by email address",
    description: "A user by their email address",
    tool: "getUserByEmail",
    path: "/api/user/by-email?email={email}",
    variables: { email: "email" },
  },
  course: {
    title: "Course",
    description: "A course by ID, with its modules",
    tool: "getCourse",
    path: "/api/course/{id}",
    variables: { id: "courseId" },
  },
  enrollments: {
    title: "Enrollments of a user",
    description: "The first 100 enrollments of a user, with status and progress",
    tool: "listEnrollments",
    fixed: ENROLLMENTS,
    path: "/api/enrollments/tabularlist?page_size=100&page_number=1&user_id={user_id}",
    variables: { user_id: "userId" },
  },
}

const JSON_TYPE = "application/json"

/** The templates of the records that a connection can read, as `resources/templates/list` returns them. */
export async function recordTemplates(connection: Connection) {
  const base = baseUrl(connection.c)
  const found: { uriTemplate: string; name: string; title: string; description: string; mimeType: string }[] = []
  for (const [name, { title, description, tool, path }] of Object.entries(RECORDS))
    if (await offersTools(connection, [tool]))
      found.push({ uriTemplate: `${base}${path}`, name, title, description, mimeType: JSON_TYPE })
  return found
}

/** The kind of a template's variable; undefined if the connection has no such template or variable. */
export async function variableKind(connection: Connection, uri: string, variable: string) {
  const base = baseUrl(connection.c)
  const record = Object.values(RECORDS).find(({ path }) => uri === `${base}${path}`)
  const kind = record && Object.hasOwn(record.variables, variable) ? record.variables[variable] : undefined
  return record && (await offersTools(connection, [record.tool])) ? kind : undefined
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The value of the variable in a URI of this path; undefined for another URI. */
function valueIn(uri: string, base: string, path: string): string | undefined {
  const [before = "", after = ""] = `${base}${path}`.split(/\{\w+\}/)
  const value = uri.slice(before.length, uri.length - after.length)
  if (value === "" || uri !== `${before}${value}${after}` || /[/?&#]/.test(value)) return undefined
  return decoded(value)
}

/** Reads the record at a URI; undefined if none of the connection's templates matches. @throws RpcError */
export async function readRecordAt(connection: Connection, uri: string) {
  const { c } = connection
  for (const { tool: name, fixed, path, variables } of Object.values(RECORDS)) {
    const [variable = ""] = Object.keys(variables)
    const value = valueIn(uri, baseUrl(c), path)
    const tool = value === undefined ? undefined : await toolNamed(c.env, name)
    if (!tool || !(await offersTools(connection, [name]))) continue
    const text = await readOperation(connection, tool, { ...fixed, [variable]: value })
    return { contents: [{ uri, mimeType: JSON_TYPE, text }] }
  }
  return undefined
}
