import { createApp, operation } from "../../http/operation.ts"
import { isoTime } from "../../lib/text/dates.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { readMatrix } from "./matrix.queries.ts"
import { matrix, matrixQuery } from "./matrix.schemas.ts"

export const complianceMatrix = createApp()

complianceMatrix.openapi(
  operation({
    operationId: "getComplianceMatrix",
    method: "get",
    path: "/api/reports/compliance-matrix",
    summary: "Read the compliance matrix",
    description: [
      "A row for each person, and a cell for each of at most 50 courses: those of courseIds, of a rule, of a group, or",
      "of all active rules. With asOf, the cells describe a past day. Supervisors see their people.",
    ].join(" "),
    tag: "Reports",
    access: "group_admin",
    signedIn: true,
    extension: true,
    query: matrixQuery,
    response: matrix,
    errors: [404],
  }),
  async (c) => {
    const { page, courses, asOf, toRow } = await readMatrix(c.var.db, c.var.caller, c.env, c.req.valid("query"))
    return c.json({ ...listPage(c, page, toRow), asOf: isoTime(asOf), courses }, 200)
  },
)
