import { z } from "@hono/zod-openapi"
import { messageResponse } from "../../http/crud.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { CertificatePage, UnknownCertificatePage } from "../../pages/certificate.page.tsx"
import { renderPage } from "../../pages/page.tsx"
import { listAllCertificates } from "./all-certificates.queries.ts"
import { pdfHeaders } from "./certificate-answer.ts"
import { allCertificateColumns, certificateColumns } from "./certificate-columns.ts"
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
    response: schemas.certificateList,
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
    operationId: "listCertificates",
    method: "get",
    path: "/api/certificates/tabularlist",
    summary: "List all certificates",
    description: [
      "The certificates of all users that the caller can see, with the ids of users, courses and enrollments, and with",
      "revoked ones: for copies of the data. updatedSince returns what changed.",
    ].join(" "),
    tag,
    access: "general",
    signedIn: true,
    extension: true,
    query: schemas.allCertificatesQuery,
    response: schemas.allCertificates,
  }),
  async (c) => {
    const found = await listAllCertificates(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json(
      listPage(c, found, (row) => allCertificateColumns.toRow(row)),
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
      "Returns a PDF with a QR code that links to the public verification page.",
      "It uses the template version that the certificate was issued with.",
      "Characters that no font has are drawn as boxes and listed in the header x-letters-without-font.",
    ].join(" "),
    tag,
    access: "general",
    extension: true,
    response: "application/pdf",
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
    summary: "Revoke a certificate",
    description: [
      "The body has the id of the certificate, and the path the id of the user or of the certificate.",
      "Lists and counts exclude the certificate, and its public page says that it was revoked.",
    ].join(" "),
    tag,
    access: "staff",
    pathIdFields: [],
    body: schemas.certificateDeletion,
    response: messageResponse,
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
    summary: "Update the issue date of a certificate",
    description: "An older operation that changes only the issue date.",
    tag,
    access: "staff",
    successor: DATES_PATH,
    body: schemas.newIssueDate,
    response: messageResponse,
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
    summary: "Update the issue and expiry dates of a certificate",
    description:
      "Without an expiry date, the certificate keeps its own; null removes it. The code and public page stay the same.",
    tag,
    access: "staff",
    body: schemas.newDates,
    response: messageResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await updateCertificateDates(c.var.work, c.req.valid("json")), 200),
)

certificates.openapi(
  operation({
    operationId: "issueCourseCertificates",
    method: "post",
    path: "/api/course/assignCertificate",
    summary: "Issue certificates for completed enrollments",
    description:
      "For enrollments completed before the course had a template. Later completions issue one automatically.",
    tag,
    access: "staff",
    extension: true,
    body: schemas.issuing,
    response: schemas.issued,
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
      "Issues the certificate of the class's course.",
      "Enrollments with No Show or Cancelled and learners with a valid certificate are skipped.",
    ].join(" "),
    tag: "Classes",
    access: "staff",
    pathIdFields: ["id", "classId", "class_id"],
    body: schemas.classIssuing,
    response: schemas.classIssued,
    errors: [409],
  }),
  async (c) =>
    c.json(await issueClassCertificates(c.var.work, c.req.valid("param").id, c.req.valid("json").enrollmentIds), 200),
)

certificates.get("/certificate/:code", async (c) => {
  const code = c.req.param("code").replaceAll("-", "").toUpperCase()
  const { certificate, academy } = await verifyCertificate(c.var.db, code)
  return certificate
    ? renderPage(c, <CertificatePage certificate={certificate} />, 200, { academy })
    : renderPage(c, <UnknownCertificatePage />, 404, { academy })
})

certificates.openAPIRegistry.registerPath({
  operationId: "verifyCertificate",
  method: "get",
  path: "/certificate/{code}",
  summary: "Verify a certificate",
  description: "A public page with the holder, the course and the validity of the certificate.",
  tags: [tag],
  security: [],
  request: { params: z.object({ code: z.string() }) },
  responses: {
    200: { description: "The page" },
    404: { description: "A page: no certificate has this code" },
    429: errorAnswer(429),
  },
})
