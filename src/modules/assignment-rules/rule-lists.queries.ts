import { eq, type SQL, sql } from "drizzle-orm"
import {
  assignmentRuleCourses,
  assignmentRulePaths,
  assignmentRules,
} from "../../../drizzle/schema/assignment-rules.ts"
import type { Database } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, rowExists } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { listedRuleColumns } from "./rule-fields.ts"
import { canManageRule } from "./rule-scope.ts"

type RulesQuery = PageQuery & {
  search_param: {
    name?: string | undefined
    active?: boolean | undefined
    courseId?: number | undefined
    learningPathId?: number | undefined
  }
}

const withTarget = (table: typeof assignmentRuleCourses | typeof assignmentRulePaths, target: SQL) => ({
  test: rowExists(table, sql`${table.ruleId} = ${assignmentRules.id} and ${target}`),
  ids: sql`select ${table.ruleId} as id from ${table} where ${target}`,
})

export async function listRules(db: Database, caller: Caller, query: RulesQuery) {
  const { name, active, courseId, learningPathId } = query.search_param
  return readPage(
    db,
    {
      table: assignmentRules,
      key: assignmentRules.id,
      fields: listedRuleColumns.fields,
      sort: listedRuleColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: canSeeAllUsers(caller) ? [] : [{ test: canManageRule(caller) }],
      search: [
        ...(name ? [searchFilter(assignmentRules, name)] : []),
        ...(active === undefined ? [] : [{ test: eq(assignmentRules.active, active) }]),
        ...(courseId ? [withTarget(assignmentRuleCourses, eq(assignmentRuleCourses.courseId, courseId))] : []),
        ...(learningPathId
          ? [withTarget(assignmentRulePaths, eq(assignmentRulePaths.learningPathId, learningPathId))]
          : []),
      ],
      ...(canSeeAllUsers(caller) && { total: counter("assignment_rules") }),
    },
    query,
  )
}
