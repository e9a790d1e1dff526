#compdef cstress cassandra-stress
_cstress_words() {
    case "$1" in
    '') echo 'read write mixed counter_write counter_read user help print version legacy check rows responder stress sbk' ;;
    -) echo '-rate -pop -insert -col -errors -log -mode -node -schema -transport -port -sendto -jmx -graph -tokenrange -credentials-file -reporting -compat -loops -format' ;;
    check|rows) echo 'read write mixed counter_write counter_read user help print version legacy check rows responder stress sbk' ;;
    read) echo 'n= duration= no-warmup truncate= cl= serial-cl= err< n> n< keysize= add=' ;;
    write) echo 'n= duration= no-warmup truncate= cl= serial-cl= err< n> n< keysize= add=' ;;
    mixed) echo 'n= duration= no-warmup truncate= cl= serial-cl= err< n> n< keysize= add= ratio( clustering=' ;;
    counter_write) echo 'n= duration= no-warmup truncate= cl= serial-cl= err< n> n< keysize= add=' ;;
    counter_read) echo 'n= duration= no-warmup truncate= cl= serial-cl= err< n> n< keysize= add=' ;;
    user) echo 'n= duration= no-warmup truncate= cl= serial-cl= err< n> n< ops( clustering= profile=' ;;
    print) echo 'dist=' ;;
    -rate) echo 'threads>= threads<= auto threads= throttle= fixed= poisson' ;;
    -pop) echo 'dist= seq= read-lookback= contents= no-wrap' ;;
    -insert) echo 'revisit= visits= partitions= select-ratio= row-population-ratio= batchtype=' ;;
    -col) echo 'names= timestamp= slice size= n=' ;;
    -errors) echo 'ignore retries= skip-read-validation differences= failures= skip-unsupported-columns fail-fast delay-policy= min-delay-ms= max-delay-ms=' ;;
    -log) echo 'no-summary no-settings file= hdrfile= interval= level= print-statements-on-error' ;;
    -mode) echo 'native cql3 simplenative prepared unprepared mysql socket= protocolVersion= user= password= auth-provider= maxPending= connectionsPerHost= compression= noShards requestTimeout= port=' ;;
    -node) echo 'file= whitelist datacenter= rack= loadbalance= remote-dc=' ;;
    -schema) echo 'keyspace= table= replication( compression= compaction( storage(' ;;
    -transport) echo 'truststore= truststore-password= keystore= keystore-password= ssl-protocol= ssl-ciphers= hostname-verification=' ;;
    -port) echo 'native= jmx=' ;;
    -sendto) echo '' ;;
    -jmx) echo 'user= password=' ;;
    -graph) echo 'file= revision= title= op=' ;;
    -tokenrange) echo 'wrap split-factor=' ;;
    -credentials-file) echo '' ;;
    -reporting) echo 'output-frequency= header-frequency=' ;;
    -compat) echo 'level= data= figures= strict' ;;
    -loops) echo 'count= pin' ;;
    -format) echo 'json cql' ;;
    responder) echo 'listen= tokens= protocolVersion= delay= stall-every= stall= errors= broken= dropped= warnings= payloads= shards= shard-aware-port= tablets= rows= stored= script= user= password= keystore= keystore-password= truststore=' ;;
    esac
}
_cstress() {
    local group=${words[2]} i
    if (( CURRENT == 2 )); then
        compadd -- ${=$(_cstress_words '')}
        return
    fi
    if [[ $group == (check|rows) ]] && (( CURRENT > 3 )); then
        group=${words[3]}
    fi
    for ((i = CURRENT - 1; i > 2; i--)); do
        case ${words[i]} in -*) group=${words[i]}; break ;; esac
    done
    compadd -S '' -- ${=$(_cstress_words $group)} ${=$(_cstress_words -)}
}
compdef _cstress cstress cassandra-stress
