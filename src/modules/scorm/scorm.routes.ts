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
    summary: "Launch a SCORM package",
    description:
      "Returns the package's URL and the data to resume from, for the learner and staff. The first commit opens the " +
      "module. If the module is not open, the enrollment has expired, or `CONTENT_ORIGIN` is not set, " +
      "the response is 409.",
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    query: schemas.launchQuery,
    response: schemas.scormLaunch,
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
      "Accepts the complete data of a runtime such as scorm-again. A completed attempt that is not " +
        "failed completes the",
      "module, and the best score counts as its points. The query can identify the module as well, for runtimes that",
      "only accept a URL.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    keys: "none",
    extension: true,
    query: schemas.commitQuery,
    body: schemas.scormCommit,
    response: schemas.scormCommitted,
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
