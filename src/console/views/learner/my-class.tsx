import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { formatDuration } from "../../ui/duration.ts"
import { ErrorMessage, failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"
import { WallTime } from "../../ui/wall-time.tsx"
import { StatusBadge } from "./shared.tsx"

type Webinar = DataOf<"/api/class/webinar/details", "get">

const POLL_MS = 60_000

/** Joins the online meeting while it is open; otherwise shows the message of the API. */
function JoinMeeting({ webinar, registrationId }: { webinar: Webinar; registrationId: number }) {
  const [meetingUrl, setMeetingUrl] = useState("")
  const [error, setError] = useState<unknown>()
  const [message, setMessage] = useState("")
  const join = async () => {
    setError(undefined)
    try {
      const { data } = await api.GET("/api/class/webinar/launch", { params: { query: { registrationId } } })
      const { is_success, url } = data.webinarDetails
      setMessage(is_success ? "" : data.webinarDetails.message)
      if (!is_success) return
      setMeetingUrl(url)
      open(url, "_blank", "noopener")
    } catch (failure) {
      setError(failure)
    }
  }
  const { is_success: isOpen } = webinar.webinarDetails
  return (
    <>
      <ErrorMessage error={error} />
      <p lang="en" dir="auto" role="status">
        {message || (!isOpen && webinar.webinarDetails.message)}
      </p>
      {isOpen && (
        <button type="button" class="primary" onClick={join}>
          {t("learner:webinar.join")}
        </button>
      )}
      {meetingUrl && (
        <p>
          <a href={meetingUrl} target="_blank" rel="noreferrer">
            {t("learner:webinar.open")}
          </a>
        </p>
      )}
    </>
  )
}

function Recordings({ recordings }: { recordings: Webinar["recordings"] }) {
  if (recordings.length === 0) return null
  return (
    <section class="card" aria-labelledby="recordings">
      <h2 id="recordings">{t("learner:recordings")}</h2>
      <ul>
        {recordings.map(({ id, name, url, duration: seconds, recorded_on }) => (
          <li key={id}>
            <a href={url} target="_blank" rel="noreferrer">
              {name}
            </a>{" "}
            <span class="quiet">
              {formatDuration(seconds)}, <Time value={recorded_on} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A class of the caller: details, online meeting, materials and recordings. */
export default function MyClass() {
  const registrationId = Number(useRoute().params.registrationId)
  const init = { params: { query: { registrationId } } }
  const details = useRead("/api/class/study-material", init)
  const webinar = useRead("/api/class/webinar/details", init, { pollMs: POLL_MS })
  return (
    <Page
      title={failedTitle(details) ?? details.data?.name ?? t("learner:class")}
      parent={{ href: "/console/my-classes", label: t("nav.my-classes") }}
    >
      <Loaded query={{ ...details, data: webinar.data || webinar.error ? details.data : undefined }}>
        {(classDetails) => (
          <>
            <section class="card" aria-label={t("details")}>
              <p>
                <StatusBadge status={classDetails.status} />
              </p>
              <dl class="facts">
                <dt>{t("learner:starts")}</dt>
                <dd>
                  <WallTime value={classDetails.start} zone={classDetails.timeZone} />
                </dd>
                <dt>{t("learner:ends")}</dt>
                <dd>
                  <WallTime value={classDetails.end} zone={classDetails.timeZone} />
                </dd>
                {webinar.data && new Date(webinar.data.endsAt) > new Date() && (
                  <>
                    <dt>{t("learner:class.session")}</dt>
                    <dd>
                      <WallTime value={webinar.data.startTime} zone={webinar.data.webinarTimezone} />
                    </dd>
                  </>
                )}
                <dt>{t("learner:location")}</dt>
                <dd>{classDetails.location || t("learner:online")}</dd>
                <dt>{t("learner:instructor")}</dt>
                <dd>{classDetails.instructor}</dd>
              </dl>
              {classDetails.instructions && <RichText html={classDetails.instructions} />}
            </section>
            {webinar.error !== null && <ErrorMessage error={webinar.error} />}
            {webinar.data?.serviceProvider && (
              <section class="card" aria-labelledby="webinar">
                <h2 id="webinar">{t("learner:webinar")}</h2>
                <JoinMeeting webinar={webinar.data} registrationId={registrationId} />
              </section>
            )}
            <section class="card" aria-labelledby="material">
              <h2 id="material">{t("learner:material")}</h2>
              {classDetails.classMaterial.length === 0 && <p class="quiet">{t("learner:material.none")}</p>}
              <ul>
                {classDetails.classMaterial.map(({ id, file_name, media_stream_url, storage_url }) => (
                  <li key={id}>
                    <a href={media_stream_url} target="_blank" rel="noreferrer">
                      {file_name}
                    </a>{" "}
                    {storage_url && (
                      <a href={storage_url} download aria-label={t("learner:material.download", { name: file_name })}>
                        {t("download")}
                      </a>
                    )}
                  </li>
                ))}
              </ul>
            </section>
            <Recordings recordings={webinar.data?.recordings ?? []} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
