import { groupCharacters } from "../lib/text/words.ts"
import { statusText } from "../lib/texts/texts.ts"
import { Layout, useWords } from "./page.tsx"

interface TranscriptCourse {
  courseName: string
  cycles: { cycle: number; status: string; completedAt: string | null; certificate: { code: string } | null }[]
}

interface IssuedTranscript {
  code: string
  issuedAt: number
  digest: string
  /** Whether the stored content has the digest that was issued. */
  isGenuine: boolean
  transcript: { name: string; academy: string; courses: TranscriptCourse[] }
}

/** The public page behind a transcript's QR code. */
export const TranscriptPage = ({ issued }: { issued: IssuedTranscript }) => {
  const { transcript, isGenuine } = issued
  const words = useWords()
  const { t, date } = words
  const title = t(isGenuine ? "transcript.genuine" : "transcript.not-genuine")
  return (
    <Layout title={title} site={transcript.academy}>
      <main class="wide">
        <h1>{title}</h1>
        <p class={isGenuine ? "notice" : "error"}>
          {t(isGenuine ? "transcript.genuine-text" : "transcript.not-genuine-text")}
        </p>
        <dl class="card">
          <dt>{t("column.name")}</dt>
          <dd>{transcript.name}</dd>
          <dt>{t("certificate.issuer")}</dt>
          <dd>{transcript.academy}</dd>
          <dt>{t("certificate.issued")}</dt>
          <dd>{date(issued.issuedAt)}</dd>
          <dt>{t("certificate.code")}</dt>
          <dd>{groupCharacters(issued.code, 6)}</dd>
          <dt>SHA-256</dt>
          <dd>{issued.digest}</dd>
        </dl>
        <table class="records">
          <thead>
            <tr>
              <th>{t("column.course")}</th>
              <th>{t("column.cycle")}</th>
              <th>{t("column.status")}</th>
              <th>{t("column.completed")}</th>
              <th>{t("column.certificate")}</th>
            </tr>
          </thead>
          <tbody>
            {transcript.courses.flatMap(({ courseName, cycles }) =>
              cycles.map(({ cycle, status, completedAt, certificate }) => (
                <tr>
                  <td>{courseName}</td>
                  <td data-title={t("column.cycle")}>{cycle}</td>
                  <td data-title={t("column.status")}>{statusText(words, status)}</td>
                  <td data-title={t("column.completed")}>{completedAt && date(Date.parse(completedAt))}</td>
                  <td data-title={t("column.certificate")}>
                    {certificate && <a href={`/certificate/${certificate.code}`}>{t("transcript.verify")}</a>}
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </main>
    </Layout>
  )
}

export const UnknownTranscriptPage = () => {
  const { t } = useWords()
  return (
    <Layout title={t("transcript.unknown")}>
      <main>
        <h1>{t("transcript.unknown")}</h1>
        <p class="error">{t("transcript.unknown-text")}</p>
      </main>
    </Layout>
  )
}
