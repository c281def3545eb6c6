import { z } from "@hono/zod-openapi"
import { messageResponse } from "../../http/crud.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { CertificatePage, UnknownCertificatePage } from "../../pages/certificate.page.tsx"
import { renderPage } from "../../pages/page.tsx"
import { pdfHeaders } from "./certificate-answer.ts"
import { certificateColumns } from "./certificate-columns.ts"
import {
  downloadCertificate,
  issueCertificates,
  issueClassCertificates,
  listCertificates,
  revokeCertificate,
  updateCertificateDates,
  verifyCertificate,
} from "./certificates.queries.ts"
import * as schemas from "./certificates.schemas.ts"

export const certificates = createApp()

const tag = "Certificates"

certificates.openapi(
  operation({
    operationId: "listUserCertificates",
    method: "get",
    path: "/api/user-certificates/{id}",
    summary: "List a user's certificates",
    tag,
    access: "general",
    query: schemas.certificateListQuery,
    answer: schemas.certificateList,
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    const found = await listCertificates(c.var.db, c.var.caller, id, c.req.valid("query"))
    const base = baseUrl(c)
    return c.json(
      listPage(c, found, (row) => certificateColumns.toRow(row, { base })),
      200,
    )
  },
)

certificates.openapi(
  operation({
    operationId: "downloadCertificate",
    method: "get",
    path: "/api/user-certificate/{id}/download",
    summary: "Download a certificate",
    description: [
      "A PDF with a QR code of its public page, which tells whether it holds.",
      "It is drawn with its template as it was at issue.",
      "Letters that no font has show as boxes; the header x-letters-without-font names them.",
    ].join(" "),
    tag,
    access: "general",
    extension: true,
    answer: "application/pdf",
  }),
  async (c) => {
    const drawn = await downloadCertificate(c.var.work, baseUrl(c), c.req.valid("param").id)
    return c.body(drawn.bytes, 200, pdfHeaders(drawn))
  },
)

certificates.openapi(
  operation({
    operationId: "deleteUserCertificate",
    method: "put",
    path: "/api/user/{id}/delete-certificate",
    summary: "Take a certificate back",
    description: [
      "The body names the certificate; the path the user (the certificate's own id is taken too).",
      "It leaves every list and count, and its public page says that it was revoked.",
    ].join(" "),
    tag,
    access: "staff",
    pathIdFields: [],
    body: schemas.certificateDeletion,
    answer: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await revokeCertificate(c.var.work, c.req.valid("param").id, c.req.valid("json").id), 200),
)

const DATES_PATH = "/api/update-certificate-dates"

certificates.openapi(
  operation({
    operationId: "updateCertificateIssueDate",
    method: "put",
    path: "/api/update-certificate-issue-date",
    summary: "Change when a certificate was issued",
    description: "The older spelling, for the issue date alone.",
    tag,
    access: "staff",
    successor: DATES_PATH,
    body: schemas.newIssueDate,
    answer: messageResponse,
    errors: [404, 409],
  }),
  async (c) =>
    c.json(await updateCertificateDates(c.var.work, { ...c.req.valid("json"), newExpiryDate: undefined }), 200),
)

certificates.openapi(
  operation({
    operationId: "updateCertificateDates",
    method: "put",
    path: DATES_PATH,
    summary: "Change when a certificate was issued and when it expires",
    description:
      "Without an expiry date the certificate keeps the one it has; null: it does not expire. Its code and page stay.",
    tag,
    access: "staff",
    body: schemas.newDates,
    answer: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await updateCertificateDates(c.var.work, c.req.valid("json")), 200),
)

certificates.openapi(
  operation({
    operationId: "issueCourseCertificates",
    method: "post",
    path: "/api/course/assignCertificate",
    summary: "Issue certificates for Completed registrations",
    description: "For those that were Completed before their course had a template: all others have theirs already.",
    tag,
    access: "staff",
    extension: true,
    body: schemas.issuing,
    answer: schemas.issued,
    errors: [409],
  }),
  async (c) => c.json(await issueCertificates(c.var.work, c.req.valid("json").registrationIds), 200),
)

certificates.openapi(
  operation({
    operationId: "issueClassCertificates",
    method: "post",
    path: "/api/class/assignCertificate/{id}",
    summary: "Issue certificates to learners of a class",
    description: [
      "The certificate of the class's course.",
      "Those who are No Show or Cancelled, or have a certificate of the course that holds, are skipped.",
    ].join(" "),
    tag: "Classes",
    access: "staff",
    pathIdFields: ["id", "classId", "class_id"],
    body: schemas.classIssuing,
    answer: schemas.classIssued,
    errors: [409],
  }),
  async (c) =>
    c.json(await issueClassCertificates(c.var.work, c.req.valid("param").id, c.req.valid("json").enrollmentIds), 200),
)

certificates.get("/certificate/:code", async (c) => {
  const code = c.req.param("code").replaceAll("-", "").toUpperCase()
  const found = await verifyCertificate(c.var.db, code)
  return found ? renderPage(c, <CertificatePage certificate={found} />) : renderPage(c, <UnknownCertificatePage />, 404)
})

certificates.openAPIRegistry.registerPath({
  operationId: "verifyCertificate",
  method: "get",
  path: "/certificate/{code}",
  summary: "Verify a certificate",
  description: "A public page: whose certificate has this code, of which course, and whether it holds.",
  tags: [tag],
  security: [],
  request: { params: z.object({ code: z.string() }) },
  responses: {
    200: { description: "The page" },
    404: { description: "A page: no certificate has this code" },
    429: errorAnswer(429),
  },
})
