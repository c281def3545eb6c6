import { now } from "../lib/clock.ts"
import { wallTimeOf } from "../lib/text/zones.ts"
import type { Words } from "../lib/texts/texts.ts"
import { progressText } from "./learning.page.tsx"
import { Layout, useWords } from "./page.tsx"

/** Times in epoch milliseconds. `expiresAt` 0: no expiry. */
interface Home {
  person: { firstName: string; site: string | null }
  courses: { name: string; slug: string; status: string; percent: number; expiresAt: number }[]
  certificates: { id: number; code: string; courseName: string; issuedAt: number; expiresAt: number }[]
  classes: { courseName: string; location: string | null; timeZone: string; startAt: number; endAt: number }[]
  /** `content` is HTML, sanitized when it was stored. */
  announcements: { heading: string; content: string; createdAt: number }[]
}

const isExpired = (expiresAt: number) => expiresAt > 0 && expiresAt <= now()

/** When and where a class takes place. */
function classText(
  { location, timeZone, startAt, endAt }: Omit<Home["classes"][number], "courseName">,
  { t, dateTime }: Words,
): string {
  const [start, end] = [startAt, endAt].map((at) => dateTime(wallTimeOf(at, timeZone)))
  const time = t("home.class-time", { start: start ?? "", end: end ?? "", zone: timeZone })
  return location ? t("home.class-place", { time, location }) : time
}

/** A learner's page: announcements, courses, classes and certificates. */
export const HomePage = ({ person, courses, certificates, classes, announcements }: Home) => {
  const words = useWords()
  const { t, date } = words
  return (
    <Layout title={t("nav.learning")} site={person.site}>
      <main class="wide">
        <h1>{t("home.welcome", { name: person.firstName })}</h1>
        {announcements.length > 0 && (
          <section aria-labelledby="announcements">
            <h2 id="announcements">{t("home.announcements")}</h2>
            {announcements.map(({ heading, content, createdAt }) => (
              <article class="card">
                <h3>{heading}</h3>
                <p class="quiet">{date(createdAt)}</p>
                <div dangerouslySetInnerHTML={{ __html: content }} />
              </article>
            ))}
          </section>
        )}
        <section class="card" aria-labelledby="courses">
          <h2 id="courses">{t("home.courses")}</h2>
          {courses.length === 0 && <p class="quiet">{t("home.no-courses")}</p>}
          <ul class="rows">
            {courses.map(({ name, slug, status, percent, expiresAt }) => (
              <li>
                <a href={`/course/${slug}`}>{name}</a>
                <span>
                  {isExpired(expiresAt)
                    ? t("home.expired", { progress: progressText({ status, percent }, words), date: date(expiresAt) })
                    : progressText({ status, percent }, words)}
                </span>
                <progress max={100} value={percent} aria-label={t("home.progress", { course: name })} />
              </li>
            ))}
          </ul>
        </section>
        {classes.length > 0 && (
          <section class="card" aria-labelledby="classes">
            <h2 id="classes">{t("home.classes")}</h2>
            <ul class="rows">
              {classes.map(({ courseName, location, timeZone, startAt, endAt }) => (
                <li>
                  <span dir="auto">{courseName}</span>
                  <span>{classText({ location, timeZone, startAt, endAt }, words)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {certificates.length > 0 && (
          <section class="card" aria-labelledby="certificates">
            <h2 id="certificates">{t("home.certificates")}</h2>
            <ul class="rows">
              {certificates.map(({ id, code, courseName, issuedAt, expiresAt }) => (
                <li>
                  <a href={`/certificate/${code}`}>{courseName}</a>
                  <span>
                    {isExpired(expiresAt) ? t("home.certificate-expired", { date: date(issuedAt) }) : date(issuedAt)}
                  </span>
                  <a
                    href={`/api/user-certificate/${id}/download`}
                    aria-label={t("home.download-of", { course: courseName })}
                  >
                    {t("home.download")}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </main>
    </Layout>
  )
}
