import { createApp, operation } from "../../http/operation.ts"
import { getJobProgress } from "./jobs.queries.ts"
import * as schemas from "./jobs.schemas.ts"

export const jobs = createApp()

jobs.openapi(
  operation({
    operationId: "getJob",
    method: "get",
    path: "/api/job/{id}",
    summary: "Get the progress of a background job",
    description: [
      "A change that touches more rows than one batch may write answers at once with a `jobId`, and a job does the",
      "rest. Until it completes, each row is either as before the change or as after it. The progress never falls; a",
      "job is retried until it completes, and can be looked up for 30 days after that.",
    ].join(" "),
    tag: "Operating",
    access: "group_admin",
    signedIn: true,
    extension: true,
    params: schemas.jobPath,
    answer: schemas.jobState,
    errors: [404],
  }),
  async (c) => c.json(await getJobProgress(c.var.work, c.req.valid("param").id), 200),
)
