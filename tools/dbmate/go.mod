module github.com/pgtasker/pgtasker/tools/dbmate

go 1.26.0

require github.com/amacneil/dbmate/v2 v2.35.0

require github.com/lib/pq v1.12.3 // indirect
