import { createApp, operation } from "../../http/operation.ts"
import { getDiagnostics } from "./diagnostics.queries.ts"
import * as schemas from "./diagnostics.schemas.ts"

export const diagnostics = createApp()

diagnostics.openapi(
  operation({
    operationId: "getDiagnostics",
    method: "get",
    path: "/api/diagnostics",
    summary: "Retrieve diagnostics of the deployment",
    description: [
      "Settings, bindings, database, cron and queues as the service sees them, without secrets.",
      "`npm run doctor` reads it and reports problems with their solutions.",
    ].join(" "),
    tag: "Operating",
    access: "admin",
    signedIn: true,
    extension: true,
    response: schemas.diagnostics,
  }),
  async (c) => c.json(await getDiagnostics(c.env), 200),
)
