import { sql } from "drizzle-orm"
import { customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { externalIds } from "../../../drizzle/schema/external-ids.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { isErased } from "../../db/erased-users.ts"
import { type Caller, canChangeUserOfType } from "../../lib/caller.ts"
import { name, text } from "../../lib/input/input.ts"
import { readJson } from "../../lib/text/json.ts"
import { type FieldDefinition, type FieldValue, metaDetails, validateMetas } from "../users/custom-field-values.ts"
import { emailKeyOf, invalidValues, isBlankCell, rowErrors, rowExternalId, type UploadRow } from "./bulk-upload-rows.ts"

// Finds the existing users of rows by email address or external id, and plans their changes.

/** What rows are matched by. */
export interface RowKeys {
  /** Email addresses in lower case. */
  addresses: string[]
  externalIds: string[]
  /** The source of the external ids. */
  source: string
}

/** The ids of the users that rows match, each once. For use after `from`. */
export const matchedUsers = ({ addresses, externalIds: given, source }: RowKeys) => sql`(
  select ${users.id} as id
  from json_each(${JSON.stringify(addresses)}) as address
  join ${users} on ${users.email} collate nocase = address.value
  union
  select ${externalIds.objectId}
  from json_each(${JSON.stringify(given)}) as given
  join ${externalIds} on ${externalIds.object} = 'user' and ${externalIds.source} = ${source}
    and ${externalIds.externalId} = given.value
) as input`

/** Selects those users with what an update compares. */
export const selectMatchedUsers = (db: Database, keys: RowKeys) =>
  db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      userType: users.userType,
      disabled: users.disabled,
      isErased: isErased(users.id).as("is_erased"),
      externalId: sql<string | null>`(
        select ${externalIds.externalId} from ${externalIds}
        where ${externalIds.object} = 'user' and ${externalIds.objectId} = ${users.id}
          and ${externalIds.source} = ${keys.source}
      )`.as("own_external_id"),
      values: sql<string>`(
        select json_group_object(${customFieldValues.fieldId}, ${customFieldValues.value})
        from ${customFieldValues} where ${customFieldValues.userId} = ${users.id}
      )`.as("own_values"),
    })
    .from(matchedUsers(keys))
    .innerJoin(users, sql`${users.id} = input.id`)

export interface KnownUser {
  id: number
  email: string
  firstName: string
  lastName: string
  userType: string
  disabled: boolean
  isErased: boolean
  externalId: string | null
  values: string
}

/** The changes of an existing user. */
export interface UserUpdate {
  user: KnownUser
  firstName: string
  lastName: string
  isRenamed: boolean
  /** undefined: unchanged. */
  externalId: string | undefined
  metas: FieldValue[]
  /** For the audit row; empty: nothing changes. */
  details: Record<string, unknown>
}

const withoutBlanks = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlankCell(value)))

/**
 * Validates the changes of an existing user. Blank cells keep the stored values; the address and the password stay.
 * @returns the changes, or all errors
 */
export function validateUpdate(
  row: UploadRow,
  user: KnownUser,
  fields: readonly FieldDefinition[],
  caller: Caller,
): UserUpdate | string[] {
  const errors = invalidValues(row)
  if (errors.length > 0) return errors
  if (user.id !== caller.id && !canChangeUserOfType(caller, user.userType))
    return ["Your role does not allow you to change this user."]
  const address = emailKeyOf(row)
  if (address !== "" && address !== user.email.toLowerCase())
    return ["email is another one than the user's. Change it in the user's account."]
  const first = name().safeParse(isBlankCell(row.own.first_name) ? user.firstName : row.own.first_name)
  const last = text(100).safeParse(isBlankCell(row.own.last_name) ? user.lastName : row.own.last_name)
  const stored = new Map(
    Object.entries(readJson(user.values) as Record<string, string>).map(([id, value]) => [Number(id), value]),
  )
  const { metas, errors: metaErrors } = validateMetas(fields, withoutBlanks(row.metas), { stored })
  const externalId = rowExternalId(row)
  const reasons = rowErrors(
    { first_name: first.error, last_name: last.error, external_id: externalId.error },
    metaErrors,
  )
  if (!first.success || !last.success || reasons.length > 0) return reasons
  const isRenamed = first.data !== user.firstName || last.data !== user.lastName
  const newId = externalId.value === user.externalId ? undefined : externalId.value
  return {
    user,
    firstName: first.data,
    lastName: last.data,
    isRenamed,
    externalId: newId,
    metas,
    details: {
      ...(first.data !== user.firstName && { firstName: first.data }),
      ...(last.data !== user.lastName && { lastName: last.data }),
      ...(newId !== undefined && { externalId: newId }),
      ...metaDetails(metas),
    },
  }
}
