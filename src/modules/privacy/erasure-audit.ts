import { type AnyColumn, type SQL, sql } from "drizzle-orm"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { textList } from "../../db/sql.ts"
import { type ErasureStage, nextRange } from "./erasure-stage.ts"
import { containsAny, identifiersOf, redact, redactEmails, searchesFor } from "./erasure-text.ts"
import { ERASED, erasedName } from "./personal-data-table.ts"

/** Records that a person creates or that are created for them. Other users may change them later. */
const OWNED_SUBJECTS = ["address", "card", "cart", "consent", "order", "review", "subscription"]
/** Subjects whose details contain personal text. */
const PERSONAL_SUBJECTS = [
  ...OWNED_SUBJECTS,
  "user",
  "badge award",
  "submission",
  "quiz attempt",
  "scorm attempt",
  "assignment file",
  "class enrollment",
  "enrollment",
  "module progress",
  "certificate",
  "device",
]
/** Subjects whose name is the person's name or text. */
const PERSONALLY_NAMED_SUBJECTS = ["address", "card", "consent", "device", "assignment file"]
/** Details whose texts are constants of the service. */
const CONSTANT_DETAILS = [
  "userType",
  "status",
  "before",
  "password",
  "twoFactor",
  "by",
  "progress",
  "currency",
  "reason",
]

/** The audit entry is about the user, of an action of another user. */
const isAbout = (logId: SQL, userId: number) => sql`${logId} in (
  select ${auditPeople.logId} from ${auditPeople} where ${auditPeople.userId} = ${userId}
)`

/** Replaces personal text in the audit log. Each entry keeps its ID, its time, its performer and its subject. */
export const eraseFromAuditLog: ErasureStage = async ({ db, person }, after) => {
  const range = await nextRange(db, [auditLogs.id], after)
  if (!range) return undefined
  const { id } = person
  const { subject, subjectId, performedBy, effectOn, details } = auditLogs
  const isAboutPerson = isAbout(sql`${auditLogs.id}`, id)
  const isUser = sql`(${subject} in ('user', 'badge award') and ${subjectId} = ${id})`
  const isOwnRecord = sql`(${subject} in ${textList(OWNED_SUBJECTS)} and (${subject}, ${subjectId}) in (
    select created.subject, created.subject_id from ${auditLogs} as created
    where created.action = 'created' and created.subject in ${textList(OWNED_SUBJECTS)}
      and ((created.performed_by = ${id} and not created.others) or ${isAbout(sql`created.id`, id)})
  ))`
  const isPersonal = sql`(${isUser} or ${isOwnRecord} or (
    ${subject} in ${textList(PERSONAL_SUBJECTS)}
    and ((${performedBy} = ${id} and not ${auditLogs.others}) or ${isAboutPerson})
  ))`
  const mayHaveName = sql`(${subject} in ('export', 'portal', 'webhook') or ${performedBy} = ${id} or ${isAboutPerson})`
  const isSearch = sql`(${subject} = 'export' and ${searchesFor(details, person)})`
  const redacted = (column: AnyColumn) =>
    sql`iif(${mayHaveName}, ${redact(column, person)}, ${redactEmails(column, person)})`
  return {
    statements: [
      db
        .update(auditLogs)
        .set({
          effectOn: sql`case
            when ${isUser} then ${erasedName(id)}
            when ${isPersonal} and ${subject} in ${textList(PERSONALLY_NAMED_SUBJECTS)} then ${ERASED}
            else ${redacted(effectOn)}
          end`,
          details: sql`case
            when ${isPersonal} then ${withoutTexts(details)}
            when ${isSearch} then json_replace(${redacted(details)}, '$.filter', ${ERASED})
            else ${redacted(details)}
          end`,
        })
        .where(sql`${range.condition} and (
          ${isPersonal}
          or ${containsAny([effectOn, details], person.emails)}
          or (${mayHaveName} and ${containsAny([effectOn, details], identifiersOf(person))})
          or ${isSearch}
        )`),
    ],
    after: range.end,
  }
}

/** The details with their numbers, booleans, lists of IDs and constants; other texts are replaced. */
const withoutTexts = (details: AnyColumn): SQL => sql`(
  select '{' || coalesce(group_concat(json_quote(key) || ':' || case type
    when 'text' then json_quote(iif(key in ${textList(CONSTANT_DETAILS)}, value, ${ERASED}))
    when 'object' then json_quote(${ERASED})
    when 'array' then iif(
      exists (select 1 from json_each(detail.value) as item where item.type <> 'integer'), json_quote(${ERASED}), value
    )
    when 'integer' then value
    when 'real' then value
    else type
  end), '') || '}'
  from json_each(${details}) as detail
)`
