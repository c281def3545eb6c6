import { sql } from "drizzle-orm"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { counter, idList, textList } from "../../db/sql.ts"

/** Custom fields by id, or all fields except those with the given lowercase keys. */
export type FieldSelection = { ids: number[] } | { exceptKeys: string[] }

const selectedIds = (which: FieldSelection) =>
  "ids" in which
    ? idList(which.ids)
    : sql`(
        select ${customFields.id} from ${customFields}
        where lower(${customFields.userMetaKey}) not in ${textList(which.exceptKeys)}
      )`

/** Deletes the values of deleted custom fields. */
export const fieldValueDeletion: BackgroundKind<FieldSelection> = {
  name: "custom-fields.values",
  stages: [
    {
      table: customFieldValues,
      where: (which) => sql`${customFieldValues.fieldId} in ${selectedIds(which)}`,
      key: [customFieldValues.fieldId, customFieldValues.userId],
      weight: 2,
      // At most one value per user.
      total: () => counter("users"),
      change: ({ db }, _, which) => [db.delete(customFieldValues).where(which)],
    },
  ],
}
