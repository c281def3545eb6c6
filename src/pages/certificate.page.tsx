import { now } from "../lib/clock.ts"
import { fullName, groupCharacters } from "../lib/text/words.ts"
import type { Words } from "../lib/texts/texts.ts"
import { Layout, useFrame, useWords } from "./page.tsx"

interface Certificate {
  /** The name of the learner's portal; null: the learner has none, so the academy is shown. */
  site: string | null
  code: string
  /** Of this page. */
  url: string
  firstName: string
  lastName: string
  courseName: string
  instructorName: string
  /** Epoch milliseconds. 0: no expiry, or not revoked. */
  issuedAt: number
  expiresAt: number
  revokedAt: number
  /** The size of the template in pixels, and whether it has an image behind its texts. */
  width: number
  height: number
  hasBackground: boolean
  /** Whether the visitor is its holder. */
  isOwn: boolean
}

/** The status of a certificate, and its explanation. */
function certificateStatus({ expiresAt, revokedAt }: Certificate, { t, date }: Words) {
  if (revokedAt > 0)
    return { title: t("certificate.revoked"), text: t("certificate.revoked-text", { date: date(revokedAt) }) }
  if (expiresAt > 0 && expiresAt <= now())
    return { title: t("certificate.expired"), text: t("certificate.expired-text", { date: date(expiresAt) }) }
  return { title: t("certificate.valid"), text: t("certificate.valid-text"), isValid: true }
}

/** The certificate as it is printed. The background is an image of its own, because browsers load none for an SVG. */
const Picture = ({ certificate }: { certificate: Certificate }) => {
  const { code, width, height, hasBackground, courseName } = certificate
  return (
    <div class="sheet">
      {hasBackground && (
        <img class="background" src={`/certificate/${code}/background`} alt="" width={width} height={height} />
      )}
      <img
        src={`/certificate/${code}/picture`}
        alt={useWords().t("certificate.picture", { name: fullName(certificate), course: courseName })}
        width={width}
        height={height}
      />
    </div>
  )
}

const LINKEDIN = "https://www.linkedin.com"

/** Adds a certificate to a profile: LinkedIn's documented parameters. */
function profileUrl({ courseName, issuedAt, expiresAt, url, code }: Certificate, issuer: string): string {
  const monthOf = (kind: string, at: number) => {
    const date = new Date(at)
    return { [`${kind}Year`]: String(date.getUTCFullYear()), [`${kind}Month`]: String(date.getUTCMonth() + 1) }
  }
  const query = new URLSearchParams({
    startTask: "CERTIFICATION_NAME",
    name: courseName,
    organizationName: issuer,
    ...monthOf("issue", issuedAt),
    ...(expiresAt > 0 && monthOf("expiration", expiresAt)),
    certUrl: url,
    certId: code,
  })
  return `${LINKEDIN}/profile/add?${query}`
}

const Actions = ({ certificate, issuer }: { certificate: Certificate; issuer: string }) => {
  const { t } = useWords()
  const { url, code, isOwn } = certificate
  return (
    <>
      <p class="actions">
        <a class="button" href={`/certificate/${code}/download`} download>
          {t("certificate.pdf")}
        </a>
        <button class="quiet" type="button" data-copy={url} data-copied={t("certificate.copied")} hidden>
          {t("certificate.copy")}
        </button>
        {isOwn ? (
          <a class="button quiet" href={profileUrl(certificate, issuer)} rel="noreferrer">
            {t("certificate.add")}
          </a>
        ) : (
          <a
            class="button quiet"
            href={`${LINKEDIN}/sharing/share-offsite/?url=${encodeURIComponent(url)}`}
            rel="noreferrer"
          >
            {t("certificate.share")}
          </a>
        )}
        <span role="status" />
      </p>
      <script type="module" src="/assets/pages.js" />
    </>
  )
}

/** The public page behind a certificate's QR code. */
export const CertificatePage = ({ certificate }: { certificate: Certificate }) => {
  const { site: academy, start, words } = useFrame()
  const { t, date } = words
  const { title, text, isValid = false } = certificateStatus(certificate, words)
  const issuer = certificate.site ?? academy
  const isRevoked = certificate.revokedAt > 0
  return (
    <Layout title={title} site={certificate.site}>
      <main class="wide">
        <h1>{title}</h1>
        <div class="certificate">
          {!isRevoked && <Picture certificate={certificate} />}
          <div class="card">
            <p class={isValid ? "notice" : "error"}>{text}</p>
            <dl>
              <dt>{t("certificate.holder")}</dt>
              <dd>{fullName(certificate)}</dd>
              <dt>{t("column.course")}</dt>
              <dd>{certificate.courseName}</dd>
              {certificate.instructorName && (
                <>
                  <dt>{t("certificate.instructor")}</dt>
                  <dd>{certificate.instructorName}</dd>
                </>
              )}
              <dt>{t("certificate.issuer")}</dt>
              <dd>
                <a href={start}>{issuer}</a>
              </dd>
              <dt>{t("certificate.issued")}</dt>
              <dd>{date(certificate.issuedAt)}</dd>
              <dt>{t("certificate.expires")}</dt>
              <dd>{certificate.expiresAt ? date(certificate.expiresAt) : t("never")}</dd>
              <dt>{t("certificate.code")}</dt>
              <dd>{groupCharacters(certificate.code, 6)}</dd>
            </dl>
            {!isRevoked && <Actions certificate={certificate} issuer={issuer} />}
          </div>
        </div>
      </main>
    </Layout>
  )
}

export const UnknownCertificatePage = () => {
  const { t } = useWords()
  return (
    <Layout title={t("certificate.unknown")}>
      <main>
        <h1>{t("certificate.unknown")}</h1>
        <p class="error">{t("certificate.unknown-text")}</p>
      </main>
    </Layout>
  )
}
