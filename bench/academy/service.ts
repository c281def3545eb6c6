// What the academy's steps share: lists read to their end, and exports.
import { setTimeout as sleep } from "node:timers/promises"
import { streamXlsxRows } from "hucre"
import { type Connection, call, json } from "../../scripts/lib/client.ts"

/** All records of a list, by following its `next` links. */
export async function* recordsOf<T>(connection: Connection, list: string): AsyncGenerator<T> {
  let path: string | undefined = list
  while (path) {
    const answer: Response = await call(connection, "GET", path)
    const { records } = await json<{ records: T[] }>(answer)
    yield* records
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
  }
}

export interface User {
  id: number
  email: string
  first_name: string
  last_name: string
}

/** Everybody in the service, by address. */
export async function everybody(connection: Connection): Promise<Map<string, User>> {
  const found = new Map<string, User>()
  for await (const user of recordsOf<User>(connection, "/api/users/tabularlist?page_size=500&page_number=1"))
    found.set(user.email, user)
  return found
}

interface Progress {
  status: string
  progress: number
  message: string
  download_url: string | null
}

/** Exports what is at a path and waits for the file. @throws when the export fails or its progress falls */
async function exported(connection: Connection, path: string): Promise<Uint8Array> {
  const { export_id } = await json<{ export_id: string }>(await call(connection, "POST", path, {}))
  for (let last = 0; ; ) {
    const answer = await call(connection, "GET", `${path}/progress/${export_id}`)
    const { status, progress, message, download_url } = await json<Progress>(answer)
    if (progress < last) throw new Error(`The export's progress fell from ${last} to ${progress}.`)
    last = progress
    if (status === "completed" && download_url) {
      const file = await call(connection, "GET", download_url)
      if (!file.ok) throw new Error(`The download answered ${file.status}: ${await file.text()}`)
      return new Uint8Array(await file.arrayBuffer())
    }
    if (status !== "processing") throw new Error(`The export ended ${status}: ${message}`)
    await sleep(250)
  }
}

/** The rows of an export, each by its columns. */
export async function* exportedRows(connection: Connection, path: string): AsyncGenerator<Record<string, string>> {
  let headers: string[] | undefined
  for await (const { values } of streamXlsxRows(await exported(connection, path))) {
    const cells = values.map((cell) => String(cell ?? ""))
    if (headers) yield Object.fromEntries(headers.map((header, i) => [header, cells[i] ?? ""]))
    else headers = cells
  }
}

/** The rows of the users' export by address. @throws when an address is there twice */
export async function exportedUsers(connection: Connection): Promise<Map<string, Record<string, string>>> {
  const found = new Map<string, Record<string, string>>()
  for await (const row of exportedRows(connection, "/api/users/export")) {
    const email = row.email ?? ""
    if (found.has(email)) throw new Error(`${email} is in the spreadsheet twice.`)
    found.set(email, row)
  }
  return found
}
