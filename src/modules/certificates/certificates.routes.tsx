import { z } from "@hono/zod-openapi"
import type { Context } from "hono"
import { messageResponse } from "../../http/crud.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl, NO_CONTENT_POLICY, NO_STORE } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { serveFile } from "../../lib/web/files.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { CertificatePage, UnknownCertificatePage } from "../../pages/certificate.page.tsx"
import { renderPage } from "../../pages/page.tsx"
import { listAllCertificates } from "./all-certificates.queries.ts"
import { pdfHeaders } from "./certificate-answer.ts"
import { storedBackground } from "./certificate-backgrounds.ts"
import { allCertificateColumns, certificateColumns } from "./certificate-columns.ts"
import { renderCertificate, renderPicture } from "./certificate-values.ts"
import {
  issueCertificates,
  issueClassCertificates,
  listCertificates,
  revokeCertificate,
  updateCertificateDates,
} from "./certificates.queries.ts"
import * as schemas from "./certificates.schemas.ts"
import { readCertificate, readPublicCertificate, verifyCertificate } from "./issued-certificate.queries.ts"

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
    const { template, data } = await readCertificate(c.var.db, c.var.caller, c.req.valid("param").id)
    const drawn = await renderCertificate(c.env, baseUrl(c), template, data)
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

/** The code of a public page, which people may type with dashes and in lower case. */
const codeOf = (c: Context<AppEnv>) => (c.req.param("code") ?? "").replaceAll("-", "").toUpperCase()

/** The pictures of a public page. A new name or date shows after five minutes. */
const PICTURE_CACHING = "public, max-age=300"

certificates.get("/certificate/:code", async (c) => {
  const { certificate, academy } = await verifyCertificate(c.var.db, codeOf(c))
  if (!certificate) return renderPage(c, <UnknownCertificatePage />, 404, { academy })
  const page = (
    <CertificatePage
      certificate={{
        ...certificate,
        url: `${baseUrl(c)}/certificate/${certificate.code}`,
        isOwn: certificate.userId === c.var.caller.id,
        hasBackground: certificate.bgUrl !== "",
      }}
    />
  )
  return renderPage(c, page, 200, { academy })
})

certificates.get("/certificate/:code/picture", async (c) => {
  const { template, data } = await readPublicCertificate(c.var.db, codeOf(c))
  const svg = await renderPicture(c.env, baseUrl(c), template, data)
  return c.body(svg, 200, {
    "content-type": "image/svg+xml",
    "content-security-policy": NO_CONTENT_POLICY,
    "cache-control": PICTURE_CACHING,
  })
})

certificates.get("/certificate/:code/background", async (c) => {
  const { template } = await readPublicCertificate(c.var.db, codeOf(c))
  c.header("cache-control", PICTURE_CACHING)
  return serveFile(c, { ...storedBackground(template.bgUrl), inline: true })
})

certificates.get("/certificate/:code/download", async (c) => {
  const { template, data } = await readPublicCertificate(c.var.db, codeOf(c))
  const drawn = await renderCertificate(c.env, baseUrl(c), template, data)
  return c.body(drawn.bytes, 200, { ...pdfHeaders(drawn), ...NO_STORE })
})

const publicPath = (path: string, about: { operationId: string; summary: string; description: string }) => ({
  ...about,
  method: "get" as const,
  path,
  tags: [tag],
  security: [],
  request: { params: z.object({ code: z.string() }) },
})

certificates.openAPIRegistry.registerPath({
  ...publicPath("/certificate/{code}", {
    operationId: "verifyCertificate",
    summary: "Verify a certificate",
    description: "A public page with the holder, the course, the validity and the picture of the certificate.",
  }),
  responses: {
    200: { description: "The page" },
    404: { description: "A page: no certificate has this code" },
    429: errorAnswer(429),
  },
})

certificates.openAPIRegistry.registerPath({
  ...publicPath("/certificate/{code}/picture", {
    operationId: "getCertificatePicture",
    summary: "Get the picture of a certificate",
    description: [
      "The certificate as SVG, without the background of its template, which the public page shows behind it.",
      "Revoked certificates have none.",
    ].join(" "),
  }),
  responses: {
    200: { description: "The picture", content: { "image/svg+xml": { schema: z.string() } } },
    404: errorAnswer(404),
    429: errorAnswer(429),
  },
})

certificates.openAPIRegistry.registerPath({
  ...publicPath("/certificate/{code}/download", {
    operationId: "downloadPublicCertificate",
    summary: "Download a certificate by its code",
    description: "The PDF of the certificate, for anyone who has its code. Revoked certificates have none.",
  }),
  responses: {
    200: { description: "The PDF", content: { "application/pdf": { schema: z.string() } } },
    404: errorAnswer(404),
    429: errorAnswer(429),
  },
})
