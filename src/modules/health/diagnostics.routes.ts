import { createApp, operation } from "../../http/operation.ts"
import { getDiagnostics } from "./diagnostics.queries.ts"
import * as schemas from "./diagnostics.schemas.ts"

export const diagnostics = createApp()

diagnostics.openapi(
  operation({
    operationId: "getDiagnostics",
    method: "get",
    path: "/api/diagnostics",
    summary: "Get what the deployment is made of",
    description: [
      "Settings, bindings, database, cron and queues as the service sees them, without any secret.",
      "`npm run doctor` reads it, and says what is wrong and how to fix it.",
    ].join(" "),
    tag: "Operating",
    access: "admin",
    signedIn: true,
    extension: true,
    answer: schemas.diagnostics,
  }),
  async (c) => c.json(await getDiagnostics(c.env), 200),
)
