function _cstress_group
    set -l words (commandline -opc)
    set -l group $words[2]
    contains -- $group check rows; and set -q words[3]; and set group $words[3]
    for word in $words[3..-1]
        string match -q -- '-*' $word; and set group $word
    end
    test "$group" = "$argv[1]"
end
complete -c cstress -f -n 'test (count (commandline -opc)) -eq 1' -a 'read write mixed counter_write counter_read user help print version legacy check rows responder stress sbk'
complete -c cstress -f -n 'test (count (commandline -opc)) -gt 1' -a '-rate -pop -insert -col -errors -log -mode -node -schema -transport -port -sendto -jmx -graph -tokenrange -credentials-file -reporting -compat -loops -format'
complete -c cstress -f -n '_cstress_group check; or _cstress_group rows' -a 'read write mixed counter_write counter_read user help print version legacy check rows responder stress sbk'
complete -c cstress -f -n '_cstress_group read' -a 'n= duration= no-warmup truncate= cl= serial-cl= err\< n\> n\< keysize= add='
complete -c cstress -f -n '_cstress_group write' -a 'n= duration= no-warmup truncate= cl= serial-cl= err\< n\> n\< keysize= add='
complete -c cstress -f -n '_cstress_group mixed' -a 'n= duration= no-warmup truncate= cl= serial-cl= err\< n\> n\< keysize= add= ratio\( clustering='
complete -c cstress -f -n '_cstress_group counter_write' -a 'n= duration= no-warmup truncate= cl= serial-cl= err\< n\> n\< keysize= add='
complete -c cstress -f -n '_cstress_group counter_read' -a 'n= duration= no-warmup truncate= cl= serial-cl= err\< n\> n\< keysize= add='
complete -c cstress -f -n '_cstress_group user' -a 'n= duration= no-warmup truncate= cl= serial-cl= err\< n\> n\< ops\( clustering= profile='
complete -c cstress -f -n '_cstress_group print' -a 'dist='
complete -c cstress -f -n '_cstress_group -rate' -a 'threads\>= threads\<= auto threads= throttle= fixed= poisson'
complete -c cstress -f -n '_cstress_group -pop' -a 'dist= seq= read-lookback= contents= no-wrap'
complete -c cstress -f -n '_cstress_group -insert' -a 'revisit= visits= partitions= select-ratio= row-population-ratio= batchtype='
complete -c cstress -f -n '_cstress_group -col' -a 'names= timestamp= slice size= n='
complete -c cstress -f -n '_cstress_group -errors' -a 'ignore retries= skip-read-validation differences= failures= skip-unsupported-columns fail-fast delay-policy= min-delay-ms= max-delay-ms='
complete -c cstress -f -n '_cstress_group -log' -a 'no-summary no-settings file= hdrfile= interval= level= print-statements-on-error'
complete -c cstress -f -n '_cstress_group -mode' -a 'native cql3 simplenative prepared unprepared mysql socket= protocolVersion= user= password= auth-provider= maxPending= connectionsPerHost= compression= noShards requestTimeout= port='
complete -c cstress -f -n '_cstress_group -node' -a 'file= whitelist datacenter= rack= loadbalance= remote-dc='
complete -c cstress -f -n '_cstress_group -schema' -a 'keyspace= table= replication\( compression= compaction\( storage\('
complete -c cstress -f -n '_cstress_group -transport' -a 'truststore= truststore-password= keystore= keystore-password= ssl-protocol= ssl-ciphers= hostname-verification='
complete -c cstress -f -n '_cstress_group -port' -a 'native= jmx='
complete -c cstress -f -n '_cstress_group -sendto' -a ''
complete -c cstress -f -n '_cstress_group -jmx' -a 'user= password='
complete -c cstress -f -n '_cstress_group -graph' -a 'file= revision= title= op='
complete -c cstress -f -n '_cstress_group -tokenrange' -a 'wrap split-factor='
complete -c cstress -f -n '_cstress_group -credentials-file' -a ''
complete -c cstress -f -n '_cstress_group -reporting' -a 'output-frequency= header-frequency='
complete -c cstress -f -n '_cstress_group -compat' -a 'level= data= figures= strict'
complete -c cstress -f -n '_cstress_group -loops' -a 'count= pin'
complete -c cstress -f -n '_cstress_group -format' -a 'json cql'
complete -c cstress -f -n '_cstress_group responder' -a 'listen= tokens= protocolVersion= delay= stall-every= stall= errors= broken= dropped= warnings= payloads= shards= shard-aware-port= tablets= rows= stored= script= user= password= keystore= keystore-password= truststore='
complete -c cassandra-stress -w cstress
