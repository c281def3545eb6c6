import { z } from "@hono/zod-openapi"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { renderPage } from "../../pages/page.tsx"
import { TranscriptPage, UnknownTranscriptPage } from "../../pages/transcript.page.tsx"
import { pdfHeaders } from "../certificates/certificate-answer.ts"
import { renderTranscript } from "./transcript-pdf.ts"
import { getIssuedTranscript, getTranscript, issueTranscript, verifyTranscript } from "./transcripts.queries.ts"
import * as schemas from "./transcripts.schemas.ts"

export const transcripts = createApp()

const shared = { tag: "Transcripts", access: "general", extension: true } as const

transcripts.openapi(
  operation({
    ...shared,
    operationId: "getTranscript",
    method: "get",
    path: "/api/transcript/user/{id}",
    summary: "Get a user's transcript",
    description: [
      "All courses with all cycles, results, certificates, exemptions and extensions, and the transcripts that were",
      "issued. Learners see their own.",
    ].join(" "),
    record: true,
    response: schemas.transcript,
  }),
  async (c) => c.json(await getTranscript(c.var.work, baseUrl(c), c.req.valid("param").id), 200),
)

transcripts.openapi(
  operation({
    ...shared,
    operationId: "issueTranscript",
    method: "post",
    path: "/api/transcript/user/{id}/issue",
    summary: "Issue a transcript",
    description: [
      "Stores what the transcript says now, with a code for its public page. Within a day, unchanged records return",
      "the transcript that was issued before.",
    ].join(" "),
    response: schemas.issuedAnswer,
    errors: [409],
  }),
  async (c) => c.json(await issueTranscript(c.var.work, baseUrl(c), c.req.valid("param").id), 200),
)

transcripts.openapi(
  operation({
    ...shared,
    operationId: "downloadTranscript",
    method: "get",
    path: "/api/transcript/{id}/pdf",
    summary: "Download an issued transcript",
    description: [
      "Returns a PDF of what was issued, with a QR code that links to the public page.",
      "Characters that no font has are drawn as boxes and listed in the header x-letters-without-font.",
    ].join(" "),
    response: "application/pdf",
  }),
  async (c) => {
    const { transcript, ...issued } = await getIssuedTranscript(c.var.db, c.var.caller, c.req.valid("param").id)
    const drawn = await renderTranscript(c.env, baseUrl(c), issued, transcript)
    return c.body(drawn.bytes, 200, pdfHeaders(drawn))
  },
)

transcripts.get("/transcript/:code", async (c) => {
  const code = c.req.param("code").replaceAll("-", "").toUpperCase()
  const { issued, academy } = await verifyTranscript(c.var.db, code)
  return issued
    ? renderPage(c, <TranscriptPage issued={issued} />, 200, { academy })
    : renderPage(c, <UnknownTranscriptPage />, 404, { academy })
})

transcripts.openAPIRegistry.registerPath({
  operationId: "verifyTranscript",
  method: "get",
  path: "/transcript/{code}",
  summary: "Verify a transcript",
  description: "A public page with the records that were issued, and whether they are genuine.",
  tags: [shared.tag],
  security: [],
  request: { params: z.object({ code: z.string() }) },
  responses: {
    200: { description: "The page" },
    404: { description: "A page: no transcript has this code" },
    429: errorAnswer(429),
  },
})
