import { sql } from "drizzle-orm"
import { customFields, customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { counter, idList, textList } from "../../db/sql.ts"

/** Custom fields by their ids, or all but those with some keys (in lower case). */
export type FieldSelection = { ids: number[] } | { butKeys: string[] }

const idsOf = (which: FieldSelection) =>
  "ids" in which
    ? idList(which.ids)
    : sql`(
        select ${customFields.id} from ${customFields}
        where lower(${customFields.userMetaKey}) not in ${textList(which.butKeys)}
      )`

/** Deletes the values of custom fields that were deleted. */
export const fieldValueDeletion: BackgroundKind<FieldSelection> = {
  name: "custom-fields.values",
  stages: [
    {
      table: customFieldValues,
      where: (which) => sql`${customFieldValues.fieldId} in ${idsOf(which)}`,
      key: [customFieldValues.fieldId, customFieldValues.userId],
      weight: 2,
      // At most a value of each user.
      total: () => counter("users"),
      change: ({ db }, _, which) => [db.delete(customFieldValues).where(which)],
    },
  ],
}
