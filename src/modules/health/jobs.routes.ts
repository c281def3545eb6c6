import { createApp, operation } from "../../http/operation.ts"
import { getJobProgress } from "./jobs.queries.ts"
import * as schemas from "./jobs.schemas.ts"

export const jobs = createApp()

jobs.openapi(
  operation({
    operationId: "getJob",
    method: "get",
    path: "/api/job/{id}",
    summary: "Retrieve the progress of a background job",
    description: [
      "Changes of more rows than one batch can write respond immediately with a `jobId`, " +
        "and a background job completes",
      "them. Until then, each row is either in the old or in the new state. The progress never decreases. Jobs are",
      "retried until they complete, and can be retrieved for 30 days after that.",
    ].join(" "),
    tag: "Operating",
    access: "group_admin",
    signedIn: true,
    extension: true,
    params: schemas.jobPath,
    response: schemas.jobState,
    errors: [404],
  }),
  async (c) => c.json(await getJobProgress(c.var.work, c.req.valid("param").id), 200),
)
