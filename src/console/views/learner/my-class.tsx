import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"
import { WallTime } from "../../ui/wall-time.tsx"
import { duration, State } from "./shared.tsx"

type Webinar = DataOf<"/api/class/webinar/details", "get">

const A_MINUTE = 60_000

/** Joining, while the webinar is open; before and after, what the API says of it. */
function Join({ webinar, registrationId }: { webinar: Webinar; registrationId: number }) {
  const [address, setAddress] = useState("")
  const [error, setError] = useState<unknown>()
  const [message, setMessage] = useState("")
  const join = async () => {
    setError(undefined)
    try {
      const { data } = await api.GET("/api/class/webinar/launch", { params: { query: { registrationId } } })
      const { is_success, url } = data.webinarDetails
      setMessage(is_success ? "" : data.webinarDetails.message)
      if (!is_success) return
      setAddress(url)
      open(url, "_blank", "noopener")
    } catch (failure) {
      setError(failure)
    }
  }
  const { is_success: isOpen } = webinar.webinarDetails
  return (
    <>
      <Problem error={error} />
      <p lang="en" dir="auto" role="status">
        {message || (!isOpen && webinar.webinarDetails.message)}
      </p>
      {isOpen && (
        <button type="button" class="primary" onClick={join}>
          {t("learner:webinar.join")}
        </button>
      )}
      {address && (
        <p>
          <a href={address} target="_blank" rel="noreferrer">
            {t("learner:webinar.open")}
          </a>
        </p>
      )}
    </>
  )
}

function Recordings({ of }: { of: Webinar["recordings"] }) {
  if (of.length === 0) return null
  return (
    <section class="card" aria-labelledby="recordings">
      <h2 id="recordings">{t("learner:recordings")}</h2>
      <ul>
        {of.map(({ id, name, url, duration: seconds, recorded_on }) => (
          <li key={id}>
            <a href={url} target="_blank" rel="noreferrer">
              {name}
            </a>{" "}
            <span class="quiet">
              {duration(seconds)}, <Time value={recorded_on} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A class of one's own: when and where, joining, its material and recordings. */
export default function MyClass() {
  const registrationId = Number(useRoute().params.registrationId)
  const init = { params: { query: { registrationId } } }
  const details = useRead("/api/class/study-material", init)
  const webinar = useRead("/api/class/webinar/details", init, { every: A_MINUTE })
  return (
    <Page
      title={details.data?.name ?? t("learner:class")}
      within={{ href: "/console/my-classes", label: t("nav.my-classes") }}
    >
      <Loaded of={details}>
        {(own) => (
          <>
            <section class="card" aria-label={t("details")}>
              <p>
                <State of={own.status} />
              </p>
              <dl class="facts">
                <dt>{t("learner:starts")}</dt>
                <dd>
                  <WallTime value={own.start} zone={own.timeZone} />
                </dd>
                <dt>{t("learner:ends")}</dt>
                <dd>
                  <WallTime value={own.end} zone={own.timeZone} />
                </dd>
                {webinar.data && (
                  <>
                    <dt>{t("learner:class.session")}</dt>
                    <dd>
                      <WallTime value={webinar.data.startTime} zone={webinar.data.webinarTimezone} />
                    </dd>
                  </>
                )}
                <dt>{t("learner:location")}</dt>
                <dd>{own.location || t("learner:online")}</dd>
                <dt>{t("learner:instructor")}</dt>
                <dd>{own.instructor}</dd>
              </dl>
              {own.instructions && <RichText html={own.instructions} />}
            </section>
            {webinar.error !== null && <Problem error={webinar.error} />}
            {webinar.data?.serviceProvider && (
              <section class="card" aria-labelledby="webinar">
                <h2 id="webinar">{t("learner:webinar")}</h2>
                <Join webinar={webinar.data} registrationId={registrationId} />
              </section>
            )}
            <section class="card" aria-labelledby="material">
              <h2 id="material">{t("learner:material")}</h2>
              {own.classMaterial.length === 0 && <p class="quiet">{t("learner:material.none")}</p>}
              <ul>
                {own.classMaterial.map(({ id, file_name, media_stream_url, storage_url }) => (
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
            <Recordings of={webinar.data?.recordings ?? []} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
