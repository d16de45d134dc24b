{{- define "delay-bridge.name" -}}
{{- $chart := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $chart) (contains $chart .Release.Name) | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "delay-bridge.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "delay-bridge.labels" -}}
{{ include "delay-bridge.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "delay-bridge.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "delay-bridge.name" .) "default" .Values.serviceAccount.create) -}}
{{- end -}}

{{/* The limit in MiB. */}}
{{- define "delay-bridge.memory" -}}
{{- $number := regexFind "^[0-9]+" .Values.memory | int -}}
{{- ternary (mul $number 1024) $number (hasSuffix "Gi" .Values.memory) -}}
{{- end -}}

{{/* A duration in milliseconds; -1 if the bridge learns it from a variable. */}}
{{- define "delay-bridge.millis" -}}
{{- $number := regexFind "^[0-9]+" (toString .) -}}
{{- $unit := trimPrefix $number (toString .) | trim -}}
{{- $millis := ternary 0 -1 (eq ($number | default "1" | int64) 0) -}}
{{- range $pattern, $each := dict "^(ms|milli.*)$" 1 "^s" 1000 "^(m|min.*)$" 60000 "^h" 3600000 "^d" 86400000 -}}
{{- if and $number (regexMatch $pattern $unit) -}}
{{- $millis = mul ($number | int64) $each -}}
{{- end -}}
{{- end -}}
{{- $millis -}}
{{- end -}}

{{/*
config.yml: the one of the service without its variables, over it what the chart decides, over that the values.
*/}}
{{- define "delay-bridge.config" -}}
{{- $config := regexReplaceAll `\$\{[A-Z_]+:-([^}]*)\}` (.Files.Get "files/config.yml") "${1}" | fromYaml -}}
{{- $port := dict "type" "http" "bindHost" (ternary "0.0.0.0" "127.0.0.1" (ne .Values.tokens.secret "")) "port" 8080 -}}
{{- if .Values.tls.secret -}}
{{- $port = merge (dict "type" "https" "keyStoreType" "PKCS12" "keyStorePassword" "${TLS_PASSWORD}" "keyStorePath" (printf "/etc/delay-bridge/tls/%s" .Values.tls.key)) $port -}}
{{- end -}}
{{- $admin := dict "type" "http" "bindHost" "0.0.0.0" "port" 8081 -}}
{{- $own := dict "kafka" (dict "bootstrapServers" .Values.kafka.bootstrapServers) "redis" (dict "uri" .Values.redis.uri) "api" (dict "adminOpen" true) "server" (dict "applicationConnectors" (list $port) "adminConnectors" (list $admin)) -}}
{{- if .Values.tokens.secret -}}
{{- $_ := set $own.api "tokens" (printf "/etc/delay-bridge/tokens/%s" .Values.tokens.key) -}}
{{- end -}}
{{- if .Values.strimzi.enabled -}}
{{- $_ := set $own "topics" (dict "create" false) -}}
{{- end -}}
{{- /* Values without spaces that name a variable are quoted, so that a secret may have any character but a single quote. toYaml folds others. */ -}}
{{- regexReplaceAll `(?m)^( *(?:- |[^\s:]+: ))([^\s'"]*\$\{[A-Z0-9_]+\}[^\s']*)$` (toYaml (mergeOverwrite $config $own (deepCopy .Values.config))) "${1}'${2}'" -}}
{{- end -}}
