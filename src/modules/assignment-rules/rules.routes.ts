import { createdWithJobResponse, recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { previewRule } from "./preview.queries.ts"
import { rulePreview, rulePreviewAnswer } from "./preview.schemas.ts"
import { listedRuleColumns, ruleColumns } from "./rule-fields.ts"
import { listRules } from "./rule-lists.queries.ts"
import { createRule, deleteRules, getRule, runRule, updateRule } from "./rules.queries.ts"
import * as schemas from "./rules.schemas.ts"

export const assignmentRules = createApp()
const tag = "Assignment rules"

const toRule = (rule: Awaited<ReturnType<typeof getRule>>) => ({
  ...ruleColumns.toRow(rule),
  courseIds: rule.courses.map(({ id }) => id),
  learningPathIds: rule.learningPaths.map(({ id }) => id),
  courses: rule.courses,
  learningPaths: rule.learningPaths,
})

const declared = recordOperations({
  tag,
  names: ["an assignment rule", "assignment rules"],
  paths: {
    create: "/api/assignment-rule/create",
    list: "/api/assignment-rule/tabularlist",
    record: "/api/assignment-rule/{id}",
    delete: "/api/assignment-rule/delete",
  },
  access: { read: "group_admin", create: "group_admin", change: "group_admin" },
  newRecord: schemas.newRule,
  created: createdWithJobResponse,
  changes: schemas.ruleChanges,
  deletion: schemas.ruleDeletion,
  listQuery: schemas.ruleListQuery,
  list: schemas.ruleList,
  record: schemas.rule,
  describe: {
    create:
      "A background job evaluates an active rule for everyone. Supervisors make rules for a group or portal that " +
      "they administer.",
    list: "Staff see all rules, supervisors those of the groups and portals that they administer.",
    change:
      "Omitted fields keep their values. courseIds and learningPathIds replace the current sets. A background job " +
      "then assigns, removes and moves due dates. Honors If-Match.",
    remove: "A background job ends what the rules assign. Until it completes, they exist and are not active.",
  },
})

assignmentRules.openapi(declared.create, async (c) => c.json(await createRule(c.var.work, c.req.valid("json")), 200))

assignmentRules.openapi(declared.list, async (c) => {
  const found = await listRules(c.var.db, c.var.caller, c.req.valid("query"))
  return c.json(listPage(c, found, listedRuleColumns.toRow), 200)
})

assignmentRules.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getRule(c.var.db, c.var.caller, c.req.valid("param").id), toRule), 200),
)

assignmentRules.openapi(declared.change, async (c) =>
  c.json(await updateRule(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

assignmentRules.openapi(declared.remove, async (c) => c.json(await deleteRules(c.var.work, c.req.valid("json")), 200))

assignmentRules.openapi(
  operation({
    operationId: "runAssignmentRule",
    method: "post",
    path: "/api/assignment-rule/{id}/run",
    summary: "Evaluate an assignment rule now",
    description: "A background job evaluates the rule for everyone, as it does every day.",
    tag,
    access: "group_admin",
    extension: true,
    response: schemas.ruleRun,
    errors: [409, 422],
  }),
  async (c) => c.json(await runRule(c.var.work, c.req.valid("param").id), 200),
)

assignmentRules.openapi(
  operation({
    operationId: "previewAssignmentRule",
    method: "post",
    path: "/api/assignment-rule/preview",
    summary: "Preview an assignment rule",
    description: "What a new or changed rule would do if it were evaluated now. It changes nothing.",
    tag,
    access: "group_admin",
    extension: true,
    body: rulePreview,
    response: rulePreviewAnswer,
    errors: [404],
  }),
  async (c) => c.json(await previewRule(c.var.work, c.req.valid("json")), 200),
)
