import { and, sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import { canManageUser } from "../../access/scope.ts"
import { firstRow } from "../../db/client.ts"
import { actorName, idList, SINGLE_ROW } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { CONSOLE } from "../../lib/web/academy.ts"
import type { Message } from "./messages.schemas.ts"
import { notifyStatements } from "./notify.ts"

/** Plain text as HTML: empty lines separate paragraphs. */
const toHtml = (text: string): string => {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  const paragraphs = escaped.split(/\n\s*\n/).map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
  return paragraphs.join("")
}

/**
 * Sends a message to people as a notification: staff to everyone, supervisors to their people.
 * @param base the origin of links in emails, without a trailing slash
 * @throws 404 if there is no one that the caller may message
 */
export async function sendMessage(work: UnitOfWork, base: string, { user_ids: ids, subject, text }: Message) {
  const { db, caller } = work
  const [people, senders] = await work.read([
    db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          sql`${users.id} in ${idList(ids)} and not ${users.disabled} and ${users.id} <> ${caller.id ?? 0}`,
          canManageUser(caller, users.id),
        ),
      ),
    db.select({ name: actorName(sql`${caller.id}`).as("sender_name") }).from(SINGLE_ROW),
  ])
  if (people.length === 0) throw notFound("user")
  const found = people.map(({ id }) => id)
  const skipped = ids.length - found.length
  const answer = {
    message: [
      `Message sent to ${pluralize(found.length, "person", "people")}.`,
      ...(skipped > 0 ? [`${skipped} skipped.`] : []),
    ].join(" "),
    sent: found.length,
    skipped,
  }
  const recipients = sql`
    select ${users.id} as user_id, '{}' as variables, ${MESSAGES_PATH} as path, null as dedupe
    from ${users} where ${users.id} in ${idList(found)}`
  return work.commit(
    [
      ...notifyStatements(work, "message", recipients, {
        base,
        body: { html: toHtml(text), text },
        variables: { subject, sender: firstRow(senders).name ?? "", text, path: MESSAGES_PATH },
      }),
      work.audit("created", "message", { id: null, name: subject }, { recipients: found }),
    ],
    answer,
  )
}

const MESSAGES_PATH = `${CONSOLE}/notifications`
