// Shared by the steps of the academy: the client, and the content of lists and exports.
import { streamXlsxRows } from "hucre"
import {
  createClient,
  type ExportPath,
  type LecternClient,
  LecternError,
  type RecordOf,
} from "../../src/client/index.ts"

/** Waits for the rate limit without a timeout. */
const PATIENT = { attempts: 1000, totalMs: 24 * 3_600_000 }

/** A client that has signed in. @throws if the service is unreachable or the password is wrong */
export async function connectService(baseUrl: string, email: string, password: string): Promise<LecternClient> {
  const client = createClient({ baseUrl, retry: PATIENT })
  await client.signIn({ email, password }).catch((error) => {
    if (!(error instanceof LecternError)) throw error
    if (error.code === "network_failed") throw new Error(`${error.message}. Start it with npm start.`)
    throw new Error(`Signing in as ${email}: ${error.message}`)
  })
  return client
}

export type User = RecordOf<"/api/users/tabularlist">

/** All users of the service, by address. */
export async function listAllUsers(client: LecternClient): Promise<Map<string, User>> {
  const found = new Map<string, User>()
  for await (const user of client.list("/api/users/tabularlist")) found.set(user.email, user)
  return found
}

/** The rows of an export, each by its columns. @throws when the export fails or its progress falls */
export async function* exportedRows(client: LecternClient, path: ExportPath): AsyncGenerator<Record<string, string>> {
  let last = 0
  const { response } = await client.exportFile(path, undefined, {
    onProgress: ({ progress }) => {
      if (progress < last) throw new Error(`The export's progress fell from ${last} to ${progress}.`)
      last = progress
    },
  })
  let headers: string[] | undefined
  for await (const { values } of streamXlsxRows(new Uint8Array(await response.arrayBuffer()))) {
    const cells = values.map((cell) => String(cell ?? ""))
    if (headers) yield Object.fromEntries(headers.map((header, i) => [header, cells[i] ?? ""]))
    else headers = cells
  }
}

/** The rows of the users' export by address. @throws when an address is there twice */
export async function exportedUsers(client: LecternClient): Promise<Map<string, Record<string, string>>> {
  const found = new Map<string, Record<string, string>>()
  for await (const row of exportedRows(client, "/api/users/export")) {
    const email = row.email ?? ""
    if (found.has(email)) throw new Error(`${email} is in the spreadsheet twice.`)
    found.set(email, row)
  }
  return found
}
