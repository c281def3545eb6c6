// Some learners, created one call at a time, and compared with the users' export.
import { randomUUID } from "node:crypto"
import { each } from "../../scripts/lib/client.ts"
import { type LecternClient, LecternError } from "../../src/client/index.ts"
import { ProgressBar } from "../progress-bar.ts"
import type { Learner } from "./dataset.ts"
import { defineFields } from "./learners.ts"
import { exportedUsers, listAllUsers } from "./service.ts"

/** Creates a learner with a random password. An existing one is not changed. */
async function create(client: LecternClient, { fields, ...learner }: Learner) {
  const password = randomUUID()
  // All fields of the bulk upload, so that the other learners can be loaded later.
  const body = { ...learner, customUserMetas: fields, password, password_confirmation: password }
  await client.POST("/api/user/create", { body }).catch((error) => {
    if (!(error instanceof LecternError)) throw error
    // The address was taken meanwhile.
    if (!error.errors.email?.some((message) => message.includes("taken"))) throw error
  })
}

const nameOf = (user: { first_name?: string; last_name?: string }) =>
  `${user.first_name ?? ""} ${user.last_name ?? ""}`.trim()

/**
 * Defines the learners' fields first.
 * @returns false if the export does not contain exactly the expected learners
 */
export async function loadSome(client: LecternClient, learners: Learner[], concurrency: number): Promise<boolean> {
  await defineFields(client, learners)
  const before = await listAllUsers(client)
  const missing = learners.filter(({ email }) => !before.has(email))
  console.info(`${learners.length} learners, ${learners.length - missing.length} exist.`)

  const began = performance.now()
  const bar = new ProgressBar("Creating", missing.length)
  await each(missing, concurrency, async (learner) => {
    await create(client, learner)
    bar.step()
  })
  const seconds = (performance.now() - began) / 1000

  const sheet = await exportedUsers(client)
  const expected = new Map([...before].map(([email, user]) => [email, nameOf(user)]))
  for (const { firstName, lastName, email } of learners) expected.set(email, `${firstName} ${lastName}`)
  const absent = [...expected].filter(([email, name]) => nameOf(sheet.get(email) ?? {}) !== name)
  const strangers = [...sheet.keys()].filter((email) => !expected.has(email))
  console.info(
    `Created ${missing.length} in ${seconds.toFixed(1)} s` +
      `${missing.length > 0 ? ` (${(missing.length / seconds).toFixed(1)} a second)` : ""}.\n` +
      `The spreadsheet has ${sheet.size} users: ${learners.length} learners and ${sheet.size - learners.length} ` +
      "others who were there before.",
  )
  if (absent.length > 0 || strangers.length > 0) {
    console.error(`Missing or different: ${absent.slice(0, 5).join("; ")} (${absent.length})`)
    console.error(`Not expected: ${strangers.slice(0, 5).join("; ")} (${strangers.length})`)
    return false
  }
  console.info("The export contains exactly the expected learners.")
  return true
}
