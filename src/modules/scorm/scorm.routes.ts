import { createApp, operation } from "../../http/operation.ts"
import { baseUrl, NO_STORE } from "../../lib/web/answers.ts"
import { commitRunTime, launchPackage } from "./scorm.queries.ts"
import * as schemas from "./scorm.schemas.ts"

export const scorm = createApp()

scorm.openapi(
  operation({
    operationId: "launchScorm",
    method: "get",
    path: "/api/scorm/launch",
    summary: "Launch a SCORM package: where it is, and the data that it goes on with",
    description:
      "For the learner, and staff. The module opens with the first commit. A locked or not yet open module, an " +
      "expired registration, and a service without an origin for packages (`CONTENT_ORIGIN`) answer 409.",
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    query: schemas.launchQuery,
    answer: schemas.scormLaunch,
    errors: [404, 409],
  }),
  async (c) => {
    const { launchUrl, commitUrl, ...launched } = await launchPackage(
      c.var.db,
      c.var.caller,
      { env: c.env, base: baseUrl(c) },
      c.req.valid("query"),
    )
    return c.json({ launch_url: launchUrl, commit_url: commitUrl, ...launched }, 200, NO_STORE)
  },
)

scorm.openapi(
  operation({
    operationId: "commitScorm",
    method: "post",
    path: "/api/scorm/commit",
    summary: "Commit a SCORM package's run-time data",
    description: [
      "Takes what a runtime such as scorm-again commits, whole. Completed, and not failed, completes the module;",
      "the best score is kept as its points. The module may be named in the query too, for runtimes that only",
      "take a URL.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    query: schemas.commitQuery,
    body: schemas.scormCommit,
    answer: schemas.scormCommitted,
    errors: [404, 409],
  }),
  async (c) => {
    const { cmi, ...inBody } = c.req.valid("json")
    const inQuery = c.req.valid("query")
    const ref = {
      statusRowId: inBody.statusRowId ?? inQuery.statusRowId,
      registrationId: inBody.registrationId ?? inQuery.registrationId,
      moduleId: inBody.moduleId ?? inQuery.moduleId,
    }
    return c.json(await commitRunTime(c.var.work, baseUrl(c), ref, cmi, inQuery.session ?? ""), 200)
  },
)
