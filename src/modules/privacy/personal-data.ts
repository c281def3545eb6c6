import { ACCOUNT_DATA } from "./personal-data-account.ts"
import { LEARNING_DATA } from "./personal-data-learning.ts"
import { AUTHORED_DATA, RECORD_DATA } from "./personal-data-records.ts"
import type { PersonalDataTable } from "./personal-data-table.ts"

/**
 * Every table with personal data, in the order of the archive. A test compares the list with the schema and fails for
 * columns that are not declared.
 */
export const PERSONAL_DATA: readonly PersonalDataTable[] = [
  ...ACCOUNT_DATA,
  ...LEARNING_DATA,
  ...RECORD_DATA,
  ...AUTHORED_DATA,
]
