import { sql } from "drizzle-orm"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { counter, idList, textList } from "../../db/sql.ts"

/** The ids of deleted fields and of those that become searchable or stop being so; or the keys of the new set. */
export type FieldSetChange =
  | { ids: number[]; searchable: number[]; unsearchable: number[] }
  | { exceptKeys: string[]; searchableKeys: string[] }

const key = sql`lower(${customFields.userMetaKey})`

const deletedIds = (which: FieldSetChange) =>
  "ids" in which
    ? idList(which.ids)
    : sql`(select ${customFields.id} from ${customFields} where ${key} not in ${textList(which.exceptKeys)})`

const searchableIds = (which: FieldSetChange) =>
  "ids" in which
    ? idList(which.searchable)
    : sql`(select ${customFields.id} from ${customFields} where ${key} in ${textList(which.searchableKeys)})`

const reindexedIds = (which: FieldSetChange) =>
  "ids" in which
    ? idList([...which.searchable, ...which.unsearchable])
    : sql`(
        select ${customFields.id} from ${customFields}
        where ${customFields.isSearchable} <> (${key} in ${textList(which.searchableKeys)})
      )`

/** At most one value per user. */
const total = () => counter("users")

/** Deletes the values of deleted custom fields, and indexes those of fields that become searchable. */
export const fieldSetChange: BackgroundKind<FieldSetChange> = {
  name: "custom-fields.values",
  stages: [
    {
      table: customFieldValues,
      where: (which) => sql`${customFieldValues.fieldId} in ${deletedIds(which)}`,
      key: [customFieldValues.fieldId, customFieldValues.userId],
      weight: 2,
      total,
      change: ({ db }, _, which) => [db.delete(customFieldValues).where(which)],
    },
    {
      table: customFieldValues,
      where: (which) => sql`${customFieldValues.fieldId} in ${reindexedIds(which)}
        and ${customFieldValues.searchable} <> (${customFieldValues.fieldId} in ${searchableIds(which)})`,
      key: [customFieldValues.fieldId, customFieldValues.userId],
      weight: 2,
      total,
      change: ({ db }, which, rows) => [
        db
          .update(customFieldValues)
          .set({ searchable: sql`${customFieldValues.fieldId} in ${searchableIds(which)}` })
          .where(rows),
      ],
    },
  ],
}
