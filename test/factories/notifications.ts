import { sql } from "drizzle-orm"
import type { NotificationKind } from "../../drizzle/schema/notifications.ts"
import { notifyStatements } from "../../src/modules/notifications/notify.ts"
import { postOffice } from "../helpers/mailbox.ts"
import type { UserRow } from "./index.ts"

const recipients = (people: Pick<UserRow, "id">[], variables: object, dedupe: string | null = null) => sql`
  select value as user_id, ${JSON.stringify(variables)} as variables, '/console/learning/7' as path, ${dedupe} as dedupe
  from json_each(${JSON.stringify(people.map(({ id }) => id))})`

/** Notifies people like a mutation. */
export async function notify(
  people: Pick<UserRow, "id">[],
  {
    kind = "enrolled" as NotificationKind,
    variables = { course: "Algebra" } as object,
    dedupe = null as string | null,
  } = {},
) {
  const office = postOffice()
  const statements = notifyStatements(office.work, kind, recipients(people, variables, dedupe), {
    base: "https://lectern.test",
  })
  await office.work.commit(statements, {})
  return office
}
